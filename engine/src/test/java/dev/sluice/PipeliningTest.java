package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One exchange at a time on a connection, in the order of the requests (DEC-32; RFC 9112 9.3). */
class PipeliningTest {

  @RegisterExtension static final Running running = new Running();

  @Test
  void manyAtOnce_areAnsweredInOrderOneAtATime() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());
    var requests = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      requests.append("GET /p" + i + "?bytes=100 HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    client.send(requests.toString());

    for (int i = 0; i < 50; i++) {
      assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/p" + i, 100));
    }
    assertThat(origin.stats().peakInFlight()).isEqualTo(1);
  }

  /** A shed in the middle is an answer in its place, and the next is asked for all the same. */
  @Test
  void shedInTheMiddle_isAnsweredInItsPlace() {
    var release = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().await(release).answer("held"),
            TrickScript.begin().readHead().answer("one").readHead().answer("three"));
    Sluice proxy =
        running.proxy(
            origin.port(),
            ProxyFile.plain()
                .origin("concurrency: { max: 1, queue: { max: 1, timeout: 100ms, predict: false }}")
                .block("routes: [ { id: assets, match: \"/a/**\", class: static } ]"));
    RawClient holder = running.client(proxy).get("/hold");
    Running.awaitInFlight(proxy, 1);
    RawClient client = running.client(proxy);

    client.send(get("/a/1.js") + get("/page") + get("/a/3.js"));

    assertThat(client.readAll().text()).isEqualTo("one");
    assertThat(client.readAll().status()).isEqualTo(503);
    assertThat(client.readAll().text()).isEqualTo("three");
    release.countDown();
    assertThat(holder.readAll().text()).isEqualTo("held");
  }

  @Test
  void requestBehindAnUpload_isTheNextOne() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());

    client.send(
        "POST /up?upload=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + get("/n"));

    assertThat(client.readAll().text()).contains("\"length\":3");
    assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/n", 1024));
  }

  /** RFC 9112 9.6: nothing behind a close is answered, nor asked for. */
  @Test
  void requestBehindAClose_isNotServed() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());

    client.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get("/never"));

    assertThat(client.readAll().status()).isEqualTo(200);
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
    assertThat(origin.stats().requestsUnder("/never")).isZero();
  }

  /**
   * DEC-27: whoever says all it has to and half-closes is answered, as none need wait, either way.
   */
  @ParameterizedTest
  @ValueSource(strings = {"half_close: serve", "half_close: leave"})
  void dec27_halfCloseBehindSeveral_allThatNeedNotWaitAreAnswered(String halfClose) {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), ProxyFile.plain().server(halfClose));

    client.send(get("/1?ms=100") + get("/2") + get("/3"));
    client.halfClose();

    for (int i = 1; i <= 3; i++) {
      assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/" + i, 1024));
    }
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  /** DEC-27: its client may have left, so one that has to wait frees its place. */
  @Test
  void halfCloseBehindSeveral_byDefault_oneThatMustWaitIsLetGo() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            ProxyFile.plain()
                .origin("concurrency: { max: 1, queue: { max: 5, timeout: 9s, predict: false }}"));
    RawClient client = running.client(proxy).send(get("/1?ms=900") + get("/2") + get("/3"));
    client.halfClose();
    Running.awaitInFlight(proxy, 1);
    RawClient next = running.client(proxy).get("/next?ms=300");
    Running.awaitWaiting(proxy, 1);

    assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/1", 1024));
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
    assertThat(next.readAll().status()).isEqualTo(200);
    assertThat(origin.stats().requests()).isEqualTo(2);
  }

  /** What is malformed behind a good request is refused behind its answer. */
  @Test
  void malformedBehindAGoodOne_isRefusedInItsPlace() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());

    client.send(get("/1?ms=100") + "GET /2 HTTP/1.1\r\nX : y\r\n\r\n");

    assertThat(client.readAll().status()).isEqualTo(200);
    assertThat(client.readAll().status()).isEqualTo(400);
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }
}
