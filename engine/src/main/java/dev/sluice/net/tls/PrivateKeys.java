package dev.sluice.net.tls;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/**
 * Private keys in their three PEM forms: PKCS #8 (RFC 5958), and the older PKCS #1 (RFC 8017 A.1.2)
 * and SEC 1 (RFC 5915), which the JDK does not read and which are wrapped into the first.
 * Stateless.
 */
final class PrivateKeys {

  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int OBJECT_ID = 0x06;

  /** Context tag 0 of an ECPrivateKey: the curve. */
  private static final int PARAMETERS = 0xa0;

  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

  /** rsaEncryption, 1.2.840.113549.1.1.1, with its NULL. */
  private static final byte[] RSA = {
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };

  /** id-ecPublicKey, 1.2.840.10045.2.1. */
  private static final byte[] EC = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  private PrivateKeys() {}

  static PrivateKey read(String label, byte[] der) throws GeneralSecurityException {
    return switch (label) {
      case "PRIVATE KEY" -> pkcs8(der);
      case "RSA PRIVATE KEY" -> KeyFactory.getInstance("RSA").generatePrivate(spec(RSA, der));
      case "EC PRIVATE KEY" ->
          KeyFactory.getInstance("EC").generatePrivate(spec(join(EC, curve(der)), der));
      default -> throw new InvalidKeySpecException("a " + label + " does not serve");
    };
  }

  private static PrivateKey pkcs8(byte[] der) throws GeneralSecurityException {
    var spec = new PKCS8EncodedKeySpec(der);
    try {
      return KeyFactory.getInstance("RSA").generatePrivate(spec);
    } catch (InvalidKeySpecException notRsa) {
      return KeyFactory.getInstance("EC").generatePrivate(spec);
    }
  }

  private static PKCS8EncodedKeySpec spec(byte[] algorithm, byte[] key) {
    byte[] body = join(VERSION_0, join(element(SEQUENCE, algorithm), element(OCTETS, key)));
    return new PKCS8EncodedKeySpec(element(SEQUENCE, body));
  }

  /** The curve's object id, as it stands in the key. */
  private static byte[] curve(byte[] der) throws InvalidKeySpecException {
    int at = content(der, 0, SEQUENCE);
    while (at < der.length) {
      int tag = der[at] & 0xff;
      int inner = content(der, at, tag);
      if (tag == PARAMETERS) {
        int end = content(der, inner, OBJECT_ID) + length(der, inner + 1);
        return Arrays.copyOfRange(der, inner, end);
      }
      at = inner + length(der, at + 1);
    }
    throw new InvalidKeySpecException("it does not name its curve");
  }

  /** Where the content of the element at {@code at} begins. */
  private static int content(byte[] der, int at, int tag) throws InvalidKeySpecException {
    if (at + 2 > der.length || (der[at] & 0xff) != tag) {
      throw new InvalidKeySpecException("it is not DER");
    }
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int length(byte[] der, int at) throws InvalidKeySpecException {
    int first = der[at] & 0xff;
    int bytes = first < 0x80 ? 0 : first & 0x7f;
    if (bytes > 2 || at + bytes >= der.length) {
      throw new InvalidKeySpecException("it is not DER");
    }
    int length = bytes == 0 ? first : 0;
    for (int i = 1; i <= bytes; i++) {
      length = length << 8 | der[at + i] & 0xff;
    }
    if (length > der.length - at) {
      throw new InvalidKeySpecException("it is cut short");
    }
    return length;
  }

  private static byte[] element(int tag, byte[] content) {
    var out = new ByteArrayOutputStream(content.length + 4);
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      // Up to 64 KiB, which is more than any of them has.
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
