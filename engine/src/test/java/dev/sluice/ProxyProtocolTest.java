package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The PROXY header in front of connections (FIELD_CASES T03), and what identifies a client. */
class ProxyProtocolTest {

  @RegisterExtension static final Running running = new Running();

  private static final String ECHO = "GET /x?echo=1 HTTP/1.1\r\nHost: a\r\n";
  private static final String FROM = "PROXY TCP4 203.0.113.7 198.51.100.9 51234 443\r\n";
  private static SlowOrigin origin;

  @BeforeAll
  static void start() {
    origin = running.slowOrigin();
  }

  @Test
  void t03_headerOfATrustedProxy_namesTheClient() {
    Sluice proxy = running.proxy(origin.port(), trusting("127.0.0.1", "10.0.0.0/8"));

    assertThat(forwardedFor(proxy, FROM, "")).isEqualTo("203.0.113.7");
    assertThat(forwardedFor(proxy, FROM, "X-Forwarded-For: 1.1.1.1\r\n"))
        .as("the client it names is not trusted")
        .isEqualTo("203.0.113.7");
    assertThat(
            forwardedFor(
                proxy,
                "PROXY TCP4 10.0.0.9 198.51.100.9 51234 443\r\n",
                "X-Forwarded-For: 1.1.1.1\r\n"))
        .as("the proxy it names is")
        .isEqualTo("1.1.1.1");
  }

  /** T03: LOCAL is the proxy's own health check. */
  @Test
  void t03_local_isTheProxyItself() {
    Sluice proxy = running.proxy(origin.port(), trusting("127.0.0.1"));
    byte[] local = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a20000000");

    RawClient client = running.client(proxy).send(local).send(ECHO + "\r\n");

    assertThat(client.readAll().text()).contains("[\"X-Forwarded-For\",\"127.0.0.1\"]");
  }

  /** T03: required means required: none, a broken one, one of a stranger. */
  @Test
  void t03_withoutASoundHeader_isClosed() {
    Sluice proxy =
        running.proxy(
            origin.port(), trusting("127.0.0.1").block("timeouts: { client_header: 300ms }"));
    Sluice strange = running.proxy(origin.port(), trusting("10.0.0.1"));
    long before = origin.stats().requests();

    running.client(proxy).get("/x").awaitEnd();
    running.client(proxy).send("PROXY TCP4 1.2.3\r\n").get("/x").awaitEnd();
    running.client(proxy).awaitEnd();
    running.client(proxy).send("PROXY ").awaitEnd();
    running.client(strange).awaitEnd();

    assertThat(origin.stats().requests()).isEqualTo(before);
    Running.await("the counts", () -> proxy.arrivals().proxyRefusals() == 4);
    assertThat(strange.arrivals().proxyRefusals()).isEqualTo(1);
  }

  /** T03: a second header is a request, and a bad one; so is a first where none is expected. */
  @Test
  void t03_headerWhereNoneBelongs_is400() {
    Sluice proxy = running.proxy(origin.port(), trusting("127.0.0.1"));
    Sluice plain = running.proxy(origin.port());

    assertThat(running.client(proxy).send(FROM + FROM + ECHO + "\r\n").readAll().status())
        .isEqualTo(400);
    assertThat(running.client(plain).send(FROM + ECHO + "\r\n").readAll().status()).isEqualTo(400);
  }

  /** However it is cut: a byte at a time, and with the request in one. */
  @Test
  void header_inPieces_isOne() {
    Sluice proxy = running.proxy(origin.port(), trusting("127.0.0.1"));
    RawClient client = running.client(proxy);

    for (byte each : FROM.getBytes(java.nio.charset.StandardCharsets.US_ASCII)) {
      client.send(new byte[] {each});
    }
    client.send(ECHO + "\r\n");

    assertThat(client.readAll().text()).contains("[\"X-Forwarded-For\",\"203.0.113.7\"]");
    client.send(ECHO + "\r\n");
    assertThat(client.readAll().text()).contains("[\"X-Forwarded-For\",\"203.0.113.7\"]");
  }

  /** PRX-19, PRX-30, PRX-31, PRX-33: what an untrusted peer says is replaced or gone. */
  @Test
  void prx19_untrustedPeer_cannotSayWhoItIs() {
    Sluice proxy = running.proxy(origin.port());
    String said =
        "X-Forwarded-For: 127.0.0.9\r\nX-Forwarded-Proto: https\r\nForwarded: for=1.2.3.4\r\n";

    String seen = running.client(proxy).send(ECHO + said + "\r\n").readAll().text();

    assertThat(seen)
        .contains("[\"X-Forwarded-For\",\"127.0.0.1\"]")
        .contains("[\"X-Forwarded-Proto\",\"http\"]")
        .doesNotContain("127.0.0.9")
        .doesNotContain("\"Forwarded\"");
  }

  /** PRX-23, PRX-26, PRX-31: what a trusted one says goes on as one value. */
  @Test
  void prx23_trustedPeer_saysForWhomItAsks() {
    Sluice proxy =
        running.proxy(
            origin.port(),
            ProxyFile.plain().server("trusted_proxies: { from: [\"127.0.0.0/8\"] }"));
    String said =
        "X-Forwarded-For: 9.9.9.9, 1.2.3.4\r\nX-Forwarded-Proto: https\r\nForwarded: for=5.5.5.5\r\n";

    String seen = running.client(proxy).send(ECHO + said + "\r\n").readAll().text();

    assertThat(seen)
        .contains("[\"X-Forwarded-For\",\"1.2.3.4\"]")
        .contains("[\"X-Forwarded-Proto\",\"https\"]")
        .doesNotContain("9.9.9.9")
        .doesNotContain("5.5.5.5");
  }

  private static String forwardedFor(Sluice proxy, String header, String fields) {
    String seen = running.client(proxy).send(header + ECHO + fields + "\r\n").readAll().text();
    String mark = "[\"X-Forwarded-For\",\"";
    int at = seen.indexOf(mark) + mark.length();
    assertThat(seen.indexOf(mark, at)).as("one value").isNegative();
    return seen.substring(at, seen.indexOf('"', at));
  }

  private static ProxyFile trusting(String... networks) {
    String from = "\"" + String.join("\", \"", networks) + "\"";
    return ProxyFile.plain()
        .server("proxy_protocol: true")
        .server("trusted_proxies: { from: [" + from + "] }");
  }
}
