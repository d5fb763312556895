package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Nobody says 100: it is the origin that owes a word, and the client that waits is told so. */
  @Test
  void h05_silentOriginAndWaitingClient_endsWith504AndFreesThePermit() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Sluice proxy =
        running.proxy(
            origin.port(), impatient("origin_response: 300ms").origin("abandon_hold: 0s"));
    RawClient client = running.client(proxy);

    assertThat(client.send(ASKS).readAll().status()).isEqualTo(504);
    origin.connection(0).awaitScriptOver();
    assertThat(origin.connection(0).receivedText()).endsWith("\r\n\r\n");
    Running.awaitInFlight(proxy, 0);
  }

  /** DEC-32: whoever waits for a permit, and then for the origin, owes nothing meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dec32_clientThatWaitsForItsTurn_isNotJudged(boolean overHttp2) {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            impatient("origin_response: 9s")
                .server("h2c: true")
                .origin("concurrency: { max: 1, queue: { max: 5, timeout: 9s, predict: false }}"));
    // Longer than client_body, and than it takes to look.
    RawClient holder = running.client(proxy).get("/hold?ms=1500");
    Running.awaitInFlight(proxy, 1);

    if (overHttp2) {
      RawFrames client = Http2Wire.connect(running, proxy);
      client.request(1, "POST", "/up?upload=1", false, "expect", "100-continue");
      client.await(RawFrames.HEADERS);
      assertThat(client.section()).containsEntry(":status", "100");
      client.data(1, true, new byte[5]);
      assertThat(client.answer(1).text()).contains("\"length\":5");
    } else {
      RawClient client = running.client(proxy).send(ASKS.replace("/up", "/up?upload=1"));
      assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");
      assertThat(client.send("hello").readAll().text()).contains("\"length\":5");
    }
    assertThat(holder.readAll().status()).isEqualTo(200);
  }

  /** An origin that takes its time before its 100 is not its client's fault. */
  @Test
  void dec32_originThatThinksBeforeIts100_isWaitedFor() {
    var thought = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .await(thought)
                .write("HTTP/1.1 100 Continue\r\n\r\n")
                .readBytes(5)
                .answer("done"));
    Sluice proxy = running.proxy(origin.port(), impatient("origin_response: 9s"));
    SlowOrigin clock = running.slowOrigin();
    RawClient client = running.client(proxy).send(ASKS);
    origin.connection(0);

    assertThat(running.clientBefore(clock.port()).get("/clock?ms=1500").readAll().status())
        .isEqualTo(200);
    thought.countDown();

    assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");
    assertThat(client.send("hello").readAll().text()).isEqualTo("done");
  }

  /** Told to go on, the client owes; and the origin owes nothing until it has all. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dec32_clientThatWasToldToGoOn_owesItsBody(boolean overHttp2) {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write("HTTP/1.1 100 Continue\r\n\r\n").readUntilClose());
    Sluice proxy =
        running.proxy(origin.port(), impatient("origin_response: 500ms").server("h2c: true"));

    if (overHttp2) {
      RawFrames client = Http2Wire.connect(running, proxy);
      client.request(1, "POST", "/up", false, "expect", "100-continue");
      assertThat(client.answer(1).status()).isEqualTo(408);
    } else {
      RawClient client = running.client(proxy).send(ASKS);
      assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");
      assertThat(client.readAll().status()).isEqualTo(408);
    }
  }

  /** So does one that goes on unasked, and then stands still. */
  @Test
  void dec32_clientThatWentOnUnasked_owesTheRest() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    RawClient client = running.clientBefore(origin.port(), impatient("origin_response: 500ms"));

    client.send(ASKS);
    origin.connection(0);
    client.send("hel");

    assertThat(client.readAll().status()).isEqualTo(408);
  }

  /** The same debts over HTTP/2 to the origin: a word first, then the client's body. */
  @ParameterizedTest
  @CsvSource({"false, 504", "true, 408"})
  void dec32_originOverHttp2_owesItsWordAndNoMore(boolean says100, int status) {
    FrameOrigin origin =
        running.closing(
            FrameOrigin.start(
                (connection, stream, fields) -> {
                  if (says100) {
                    connection.headers(stream, 0, ":status", "100");
                  }
                }));
    Sluice proxy =
        running.proxy(
            origin.port(),
            ProxyFile.plain()
                .origin("http_version: http2")
                .block(
                    "timeouts: { client_body: %s, origin_response: %s }"
                        .formatted(says100 ? "200ms" : "9s", says100 ? "9s" : "300ms")));
    RawClient client = running.client(proxy).send(ASKS);

    if (says100) {
      assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");
    }
    assertThat(client.readAll().status()).isEqualTo(status);
  }

  private static ProxyFile impatient(String timeout) {
    return ProxyFile.plain().block("timeouts: { client_body: 200ms, " + timeout + " }");
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
