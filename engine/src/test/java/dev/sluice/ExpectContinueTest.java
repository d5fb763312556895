package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** H05, DEC-32: {@code Expect: 100-continue} (RFC 9110 10.1.1). */
class ExpectContinueTest {

  private static final String ASKS =
      "PUT /up HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";

  @RegisterExtension static final Running running = new Running();

  @Test
  void h05_originSaysContinue_isRelayedThenTheBodyFollows() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 100 Continue\r\n\r\n")
                .readBytes(5)
                .answer("done"));
    RawClient client = running.clientBefore(origin.port());

    client.send(ASKS);
    assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");
    assertThat(origin.connection(0).receivedText())
        .containsIgnoringCase("\r\nExpect: 100-continue\r\n")
        .endsWith("\r\n\r\n");
    client.send("hello");

    assertThat(client.readAll().text()).isEqualTo("done");
    assertThat(origin.connection(0).receivedText()).endsWith("\r\n\r\nhello");
  }

  @Test
  void h05_originRefuses_clientGetsItWithout100AndTheConnectionCloses() {
    for (String status : new String[] {"401 Unauthorized", "417 Expectation Failed"}) {
      TrickOrigin origin =
          running.trickOrigin(
              TrickScript.begin()
                  .readHead()
                  .write("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n")
                  .readUntilClose());
      RawClient client = running.clientBefore(origin.port());

      String head = client.send(ASKS).readHead();

      assertThat(head).startsWith("HTTP/1.1 " + status).contains("\r\nConnection: close\r\n");
      assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
      origin.connection(0).awaitScriptOver();
      assertThat(origin.connection(0).receivedText()).endsWith("\r\n\r\n");
    }
  }

  @Test
  void h05_clientDoesNotWait_isServed() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());

    client.send(ASKS.replace("/up", "/up?upload=1&expect=silent") + "hello");

    assertThat(client.readAll().text()).contains("\"length\":5");
  }

  /** Nobody says 100, and the client waits for it: that ends, and so does the permit. */
  @Test
  void h05_silentOriginAndWaitingClient_endsWith408AndFreesThePermit() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Sluice proxy =
        running.proxy(origin.port(), ProxyFile.plain().block("timeouts: { client_body: 200ms }"));
    RawClient client = running.client(proxy);

    assertThat(client.send(ASKS).readAll().status()).isEqualTo(408);
    origin.connection(0).awaitScriptOver();
    assertThat(origin.connection(0).receivedText()).endsWith("\r\n\r\n");
    Running.awaitInFlight(proxy, 0);
  }

  @Test
  void dec32_shed_isFinalWithout100AndCloses() {
    var release = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().await(release).answer("first"));
    Sluice proxy =
        running.proxy(
            origin.port(),
            ProxyFile.plain()
                .origin(
                    "concurrency: { max: 1, queue: { max: 1, timeout: 200ms, predict: false }}"));
    RawClient holder = running.client(proxy).get("/hold");
    Running.awaitInFlight(proxy, 1);

    RawClient shed = running.client(proxy);
    String head = shed.send(ASKS).readHead();

    assertThat(head).startsWith("HTTP/1.1 503 ").contains("\r\nConnection: close\r\n");
    shed.readBody(contentLength(head));
    assertThat(shed.awaitEnd()).isEqualTo(PeerEnd.FIN);
    release.countDown();
    assertThat(holder.readAll().text()).isEqualTo("first");
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** RFC 9110 10.1.1: an HTTP/1.0 client expects nothing, so its body comes before its permit. */
  @Test
  void h05_http10_isIgnored() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port());
    RawClient old = running.client(proxy);
    old.send(ASKS.replace("/up", "/up?echo=1").replace("HTTP/1.1", "HTTP/1.0"));
    // One loop serves both: once the second was answered, the first was looked at.
    running.client(proxy).get("/barrier").readAll();
    assertThat(origin.stats().requestsUnder("/up")).isZero();

    String seen = old.send("hello").readAll().text();

    assertThat(seen).contains("hello").doesNotContainIgnoringCase("expect");
  }

  private static int contentLength(String head) {
    return head.lines()
        .filter(line -> line.startsWith("Content-Length: "))
        .mapToInt(line -> Integer.parseInt(line.substring(16)))
        .findFirst()
        .orElseThrow();
  }
}
