package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates, keys and proxies that cannot serve: each a start-up error at its place. */
class TrustRulesTest {

  @TempDir Path folder;

  @BeforeEach
  void write() {
    TestCertificate.of("localhost").writeTo(folder);
  }

  @Test
  void soundPair_isAccepted() {
    assertThat(Reading.errors(tls())).isEmpty();
    assertThat(Reading.accepted(tls()).warnings()).isEmpty();
  }

  @Test
  void missingFile_isAnErrorAtItsKey() throws IOException {
    Files.delete(folder.resolve("key.pem"));

    assertThat(lines(tls()))
        .containsExactly(
            "sluice.yaml:6:5: error: server.tls.key: there is no file "
                + folder.resolve("key.pem"));
  }

  @Test
  void certificateInPlaceOfTheKey_isAnError() throws IOException {
    Files.copy(
        folder.resolve("cert.pem"),
        folder.resolve("key.pem"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    assertThat(lines(tls())).singleElement().asString().contains("has no private key");
  }

  @Test
  void keyOfAnotherCertificate_isAnError() throws IOException {
    Files.writeString(folder.resolve("key.pem"), TestCertificate.of("localhost").keyPem());

    assertThat(lines(tls()))
        .singleElement()
        .asString()
        .startsWith("sluice.yaml:6:5: error: server.tls.key: the key in")
        .contains("does not belong to the certificate in")
        .contains("name the key that the certificate was made for");
  }

  @Test
  void keyOfAnotherCertificateOfTheChain_isAnErrorThatSaysSo() throws IOException {
    TestCertificate root = TestCertificate.of("root.test");
    TestCertificate own = root.issue("localhost");
    root.writeTo(folder);
    Files.writeString(folder.resolve("cert.pem"), own.pem());

    assertThat(lines(tls())).singleElement().asString().contains("belongs to certificate 2");
  }

  @Test
  void expiredCertificate_isAnError_andOneThatEndsSoonAWarning() {
    Instant lastYear = Instant.now().minus(Duration.ofDays(365));
    TestCertificate.of(lastYear, Duration.ofDays(100), "localhost").writeTo(folder);
    assertThat(lines(tls()))
        .singleElement()
        .asString()
        .startsWith("sluice.yaml:5:5: error: server.tls.cert: the certificate in")
        .contains("expired on");

    TestCertificate.of(lastYear, Duration.ofDays(370), "localhost").writeTo(folder);
    assertThat(Reading.lines(Reading.accepted(tls()).warnings()))
        .singleElement()
        .asString()
        .contains("ends soon");

    TestCertificate.of(Instant.now().plus(Duration.ofDays(2)), Duration.ofDays(9), "localhost")
        .writeTo(folder);
    assertThat(lines(tls())).singleElement().asString().contains("is not valid before");
  }

  @Test
  void damagedFiles_areErrors() throws IOException {
    Files.writeString(folder.resolve("cert.pem"), "hello");
    Files.writeString(
        folder.resolve("key.pem"),
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");

    assertThat(lines(tls()))
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).contains("is not a PEM file"))
        .anySatisfy(line -> assertThat(line).contains("cannot be read"));

    Files.writeString(
        folder.resolve("key.pem"),
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
    assertThat(lines(tls())).anySatisfy(line -> assertThat(line).contains("openssl pkey"));
  }

  /** CFG-07, CFG-08, CFG-17, PRX-20: combinations that cannot work or mean nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "server: { proxy_protocol: true } | server.proxy_protocol | nobody may send the header",
        "server: { trusted_proxies: { from: [] } } | server.trusted_proxies.from | believes nobody",
        "server: { trusted_proxies: { from: [10.0.0.0/8], client_ip: none, scheme: none } }"
            + " | server.trusted_proxies | has no effect",
        "server: { trusted_proxies: { from: [0.0.0.0/0] } } | server.trusted_proxies.from | believes"
            + " every client",
        "server: { trusted_proxies: { from: [10.0.0.1/8] } } | server.trusted_proxies.from[0] | has"
            + " bits behind its prefix",
        "server: { trusted_proxies: { from: [lb.internal] } } | server.trusted_proxies.from[0] | is"
            + " not a block",
        "server: { trusted_proxies: { client_ip: forwarded } } | server.trusted_proxies.from | the"
            + " key is missing",
        "server: { tls: { cert: a } } | server.tls.listen | the key is missing",
      })
  void wrongCombination_isAnError(String line, String key, String words) {
    assertThat(Reading.errors(Reading.LEAST + line + "\n"))
        .anySatisfy(
            problem -> {
              assertThat(problem.keyPath()).isEqualTo(key);
              assertThat(problem.message()).contains(words);
            });
  }

  @Test
  void originTls_saysWhatCannotBe() {
    assertThat(origin("sni: 10.0.0.1")).anySatisfy(line -> assertThat(line).contains("address"));
    assertThat(origin("sni: a.test, ca: /nowhere.pem"))
        .anySatisfy(line -> assertThat(line).contains("there is no file /nowhere.pem"));
    assertThat(origin("sni: a.test, verify_cert: false, ca: " + folder.resolve("cert.pem")))
        .anySatisfy(line -> assertThat(line).contains("has no effect"));
    assertThat(origin("ca: " + folder.resolve("cert.pem")))
        .anySatisfy(line -> assertThat(line).contains("origin.tls.sni"));
  }

  @Test
  void originTlsThatVerifiesLess_isWarnedOf() {
    assertThat(warnings("sni: a.test, verify_cert: false"))
        .anySatisfy(line -> assertThat(line).contains("origin.tls.verify_cert: false"));
    assertThat(warnings("sni: a.test, verify_hostname: false"))
        .anySatisfy(line -> assertThat(line).contains("origin.tls.verify_hostname: false"));
  }

  private List<String> origin(String keys) {
    return lines(originFile(keys));
  }

  private static List<String> warnings(String keys) {
    return Reading.lines(Reading.accepted(originFile(keys)).warnings());
  }

  private static String originFile(String keys) {
    return "version: 1\norigin: { upstreams: [\"127.0.0.1:3000\"], tls: { " + keys + " } }\n";
  }

  private static List<String> lines(String text) {
    return Reading.lines(Reading.errors(text));
  }

  private String tls() {
    return """
        version: 1
        server:
          tls:
            listen: "127.0.0.1:8443"
            cert: "%s"
            key: "%s"
        origin: { upstreams: ["127.0.0.1:3000"] }
        """
        .formatted(folder.resolve("cert.pem"), folder.resolve("key.pem"));
  }
}
