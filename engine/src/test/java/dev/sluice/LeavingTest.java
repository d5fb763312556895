package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import dev.sluice.net.NetSettings.TransportChoice;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that leave, before and behind the origin's first byte (A01, DEC-27, DEC-28). */
@ParameterizedClass
@EnumSource(
    value = TransportChoice.class,
    names = {"AUTO", "NIO"})
class LeavingTest {

  @RegisterExtension static final Running running = new Running();
  private final CountDownLatch release = new CountDownLatch(1);
  private final ProxyFile plain;
  private final ProxyFile one;

  LeavingTest(TransportChoice transport) {
    plain = ProxyFile.plain().transport(transport);
    one = plain.origin("concurrency: { max: 1, queue: { max: 10, timeout: 8s, predict: false } }");
  }

  // While waiting for a permit.

  @Test
  void a01_waiterCloses_freesItsPlaceAndTheOriginNeverHears() {
    leavesWhileWaiting(RawClient::close);
  }

  @Test
  void a01_waiterResets_freesItsPlaceAndTheOriginNeverHears() {
    leavesWhileWaiting(RawClient::reset);
  }

  /** DEC-27: the same packet as a close, so under {@code leave} the same end. */
  @Test
  void a01_waiterHalfCloses_freesItsPlaceAndTheOriginNeverHears() {
    leavesWhileWaiting(RawClient::halfClose);
  }

  private void leavesWhileWaiting(Consumer<RawClient> leave) {
    TrickOrigin origin = holdingOrigin();
    Sluice proxy = running.proxy(origin.port(), one);
    RawClient holder = running.client(proxy).get("/hold");
    Running.awaitInFlight(proxy, 1);
    RawClient[] waiters = new RawClient[5];
    for (int i = 0; i < waiters.length; i++) {
      waiters[i] = running.client(proxy).get("/wait");
    }
    Running.awaitWaiting(proxy, waiters.length);

    for (RawClient waiter : waiters) {
      leave.accept(waiter);
    }

    Running.awaitWaiting(proxy, 0);
    release.countDown();
    assertThat(holder.readAll().text()).isEqualTo("held");
    Running.awaitInFlight(proxy, 0);
    assertThat(origin.connections()).isEqualTo(1);
    assertThat(origin.connection(0).receivedText()).doesNotContain("/wait");
  }

  /** DEC-27: {@code serve} takes a FIN behind a request for what it may be, too: the last word. */
  @Test
  void a01_waiterHalfClosesUnderServe_isAnsweredThenClosed() {
    TrickOrigin origin = holdingOrigin();
    Sluice proxy = running.proxy(origin.port(), one.server("half_close: serve"));
    RawClient holder = running.client(proxy).get("/hold");
    Running.awaitInFlight(proxy, 1);
    RawClient waiter = running.client(proxy).get("/wait");
    Running.awaitWaiting(proxy, 1);

    waiter.halfClose();
    // One loop serves both: once this was answered, the FIN was looked at.
    running.client(proxy).send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").readAll();
    release.countDown();

    assertThat(holder.readAll().text()).isEqualTo("held");
    assertThat(waiter.readAll().text()).isEqualTo("next");
    assertThat(waiter.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  /** A waiter with bytes behind its request is noticed as well, as long as they fit. */
  @Test
  void a01_waiterWithPipelinedRequestCloses_freesItsPlace() {
    TrickOrigin origin = holdingOrigin();
    Sluice proxy = running.proxy(origin.port(), one);
    RawClient holder = running.client(proxy).get("/hold");
    Running.awaitInFlight(proxy, 1);
    RawClient waiter = running.client(proxy).get("/wait").get("/behind");
    Running.awaitWaiting(proxy, 1);

    waiter.close();

    Running.awaitWaiting(proxy, 0);
    release.countDown();
    assertThat(holder.readAll().text()).isEqualTo("held");
  }

  // Once the origin was asked.

  /** DEC-27: then a FIN is never leaving. */
  @Test
  void dec27_halfCloseBehindAnAskedRequest_isAnsweredThenClosed() {
    TrickOrigin origin = holdingOrigin();
    RawClient client = running.clientBefore(origin.port(), plain).get("/x");
    origin.connection(0).awaitReceived("\r\n\r\n");

    client.halfClose();
    release.countDown();

    assertThat(client.readAll().text()).isEqualTo("held");
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  /** And has all of it, however much more there is than its socket holds. */
  @Test
  void dec27_halfCloseBehindAnAskedRequest_getsMoreThanTheSocketHolds() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), plain).get("/x?bytes=8000000");
    Running.awaitRequests(origin, 1);

    client.halfClose();

    assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/x", 8_000_000));
    assertThat(client.awaitEnd()).isEqualTo(PeerEnd.FIN);
  }

  /** DEC-28: by default the origin is read to its end, and the permit is held as long. */
  @Test
  void dec28_finish_readsTheOriginToItsEnd() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), one);
    RawClient client = running.client(proxy).get("/x?ms=200&bytes=200000");
    Running.awaitRequests(origin, 1);

    client.reset();

    Running.await("end", () -> origin.stats().finishedWriting() == 1);
    Running.awaitInFlight(proxy, 0);
    assertThat(origin.stats().aborted()).isZero();
  }

  @Test
  void dec28_close_leavesTheOriginAtOnce() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
    Sluice proxy =
        running.proxy(
            origin.port(), one.origin("on_client_abort: close").origin("abandon_hold: 0s"));
    RawClient client = running.client(proxy).get("/x");
    origin.connection(0).awaitReceived("\r\n\r\n");

    client.reset();

    origin.connection(0).awaitScriptOver();
    Running.awaitInFlight(proxy, 0);
  }

  /** DEC-28: a stream that nobody listens to has no end to wait for. */
  @Test
  void dec28_eventStream_isAlwaysLeft() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), one.origin("abandon_hold: 0s"));
    RawClient client = running.client(proxy).get("/events?sse=1&every=50");
    client.readHead();

    client.reset();

    Running.await("abort", () -> origin.stats().aborted() == 1);
    Running.awaitInFlight(proxy, 0);
  }

  /** DEC-28, A12: an upload that broke off is never completed for the origin. */
  @Test
  void dec28_uploadBrokenOff_isNeverComplete() {
    for (String framing : new String[] {"Content-Length: 900000", "Transfer-Encoding: chunked"}) {
      TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().readUntilClose());
      Sluice proxy = running.proxy(origin.port(), one);
      RawClient client = running.client(proxy);
      client.send("POST /up HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n");
      client.send("13880\r\n" + "z".repeat(80_000) + "\r\n");
      origin.connection(0).awaitReceived("zzzz");

      client.reset();

      origin.connection(0).awaitScriptOver();
      assertThat(origin.connection(0).receivedText()).doesNotContain("\r\n0\r\n\r\n");
      Running.awaitInFlight(proxy, 0);
    }
  }

  /** DEC-27: a FIN inside a request is leaving, whatever half_close says. */
  @Test
  void dec27_finInsideARequest_isLeaving() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), plain.server("half_close: serve"));
    for (String part :
        new String[] {"GET /x HT", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"}) {
      RawClient client = running.client(proxy).send(part);
      client.halfClose();
      assertThat(client.readUntilClose()).isEmpty();
    }
    assertThat(origin.stats().requests()).isZero();
  }

  /** One connection that answers when told, and what comes behind it on the same one. */
  private TrickOrigin holdingOrigin() {
    return running.trickOrigin(
        TrickScript.begin().readHead().await(release).answer("held").readHead().answer("next"));
  }
}
