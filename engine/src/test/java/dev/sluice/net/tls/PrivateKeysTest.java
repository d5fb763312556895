package dev.sluice.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The three forms in which operators have their keys. */
class PrivateKeysTest {

  @TempDir Path folder;

  /** SEC 1 names its curve behind the number, and older tools write it once more in front. */
  @Test
  void sec1_isRead() throws Exception {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    var key = (ECPrivateKey) generator.generateKeyPair().getPrivate();
    byte[] number = HexFormat.of().parseHex("%064x".formatted(key.getS()));
    var der = new ByteArrayOutputStream();
    der.writeBytes(HexFormat.of().parseHex("303102010104" + "20"));
    der.writeBytes(number);
    der.writeBytes(HexFormat.of().parseHex("a00a06082a8648ce3d030107"));

    String text = pem("EC PARAMETERS", new byte[] {6}) + pem("EC PRIVATE KEY", der.toByteArray());

    assertThat(((ECPrivateKey) PemFile.key(file(text))).getS()).isEqualTo(key.getS());
  }

  /** PKCS #1 is what stands inside of PKCS #8, for RSA. */
  @Test
  void pkcs1_isReadAsThePkcs8ThatHoldsIt() throws Exception {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    PrivateKey key = generator.generateKeyPair().getPrivate();
    byte[] pkcs8 = key.getEncoded();
    // version, algorithm and the octet string's own tag and length stand before it
    byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);

    assertThat(PemFile.key(file(pem("RSA PRIVATE KEY", pkcs1)))).isEqualTo(key);
    assertThat(PemFile.key(file(pem("PRIVATE KEY", pkcs8)))).isEqualTo(key);
  }

  @Test
  void garbage_isAFaultWithTheFilesName() throws IOException {
    for (int length = 0; length < 64; length++) {
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) (0x30 + length));
      Path file = file(pem("EC PRIVATE KEY", bytes));

      assertThatThrownBy(() -> PemFile.key(file))
          .isInstanceOf(PemFault.class)
          .hasMessageContaining(file.toString());
    }
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("key.pem"), text);
  }

  private static String pem(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }
}
