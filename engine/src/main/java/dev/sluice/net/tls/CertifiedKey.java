package dev.sluice.net.tls;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Instant;
import java.util.List;

/**
 * A certificate chain with the private key of its first certificate, known to belong together.
 * Immutable.
 */
public record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {

  private static final int SMALLEST_RSA_BITS = 2048;
  private static final byte[] NONCE = {1, 2, 3, 5, 8, 13, 21, 34};

  public CertifiedKey {
    chain = List.copyOf(chain);
  }

  /** Reads both files; a key of another certificate is a fault. */
  static CertifiedKey read(ServerTlsSettings settings) throws PemFault {
    var pair = new CertifiedKey(PemFile.certificates(settings.cert()), PemFile.key(settings.key()));
    pair.checkMatch(settings.cert() + "", settings.key() + "");
    return pair;
  }

  /** Whether the key is the first certificate's; the names are for the message. */
  public void checkMatch(String cert, String keyFile) throws PemFault {
    if (key instanceof RSAKey rsa && rsa.getModulus().bitLength() < SMALLEST_RSA_BITS) {
      throw new PemFault(
          "the RSA key in " + keyFile + " has " + rsa.getModulus().bitLength() + " bits",
          "clients refuse fewer than 2048; make another key and certificate");
    }
    if (fits(chain.get(0))) {
      return;
    }
    for (int i = 1; i < chain.size(); i++) {
      if (fits(chain.get(i))) {
        throw new PemFault(
            "the key in " + keyFile + " belongs to certificate " + (i + 1) + " of " + cert,
            "put the server's own certificate first");
      }
    }
    throw new PemFault(
        "the key in " + keyFile + " does not belong to the certificate in " + cert,
        "name the key that the certificate was made for");
  }

  /** What keeps {@code certificate} from serving at {@code now}; empty where nothing does. */
  public static String validity(X509Certificate certificate, Instant now) {
    Instant end = certificate.getNotAfter().toInstant();
    Instant begin = certificate.getNotBefore().toInstant();
    if (end.isBefore(now)) {
      return "expired on " + end;
    }
    return begin.isAfter(now) ? "is not valid before " + begin : "";
  }

  /** Stands for all of it (SHA-256). */
  byte[] digest() throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (X509Certificate certificate : chain) {
      digest.update(certificate.getEncoded());
    }
    digest.update(key.getEncoded());
    return digest.digest();
  }

  private boolean fits(X509Certificate certificate) {
    PublicKey publicKey = certificate.getPublicKey();
    String algorithm = key.getAlgorithm();
    if (!publicKey.getAlgorithm().equals(algorithm)) {
      return false;
    }
    String scheme = algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256with" + algorithm;
    try {
      Signature signature = Signature.getInstance(scheme);
      signature.initSign(key);
      signature.update(NONCE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(NONCE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
