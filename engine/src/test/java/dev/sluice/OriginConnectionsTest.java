package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The pool of origin connections (DEC-29, DEC-37, H02, A04). */
class OriginConnectionsTest {

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  @RegisterExtension static final Running running = new Running();

  // Reuse.

  @Test
  void originIdle_unusedConnection_isClosedByUs() {
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().answer("a").readUntilClose());
    RawClient client =
        running.clientBefore(
            origin.port(), ProxyFile.plain().block("timeouts: { origin_idle: 200ms }"));

    assertThat(client.get("/a").readAll().text()).isEqualTo("a");

    origin.connection(0).awaitScriptOver();
    assertThat(origin.connection(0).hasClientClosed()).isTrue();
  }

  /** H02: what comes on an idle connection belongs to nobody. */
  @Test
  void h02_unaskedAnswer_isNeverAnybodys() {
    var send = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().answer("a").await(send).write(OK).readUntilClose(),
            TrickScript.begin().readHead().answer("b"));
    RawClient client = running.clientBefore(origin.port());

    assertThat(client.get("/a").readAll().text()).isEqualTo("a");
    send.countDown();
    origin.connection(0).awaitScriptOver();

    assertThat(client.get("/b").readAll().text()).isEqualTo("b");
    assertThat(origin.connections()).isEqualTo(2);
  }

  /** H02: an interim answer to HEAD does not shift what follows. */
  @Test
  void h02_interimAnswerToHead_pairsNothing() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
                .readHead()
                .answer("b"));
    RawClient client = running.clientBefore(origin.port());

    client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");

    assertThat(client.readFinalHead()).contains("\r\nContent-Length: 5\r\n");
    assertThat(client.get("/b").readAll().text()).isEqualTo("b");
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** H02, mirrored: a body behind HEAD's head is dropped with its connection. */
  @Test
  void h02_bodyBehindHead_isDroppedWithItsConnection() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"),
            TrickScript.begin().readHead().answer("b"));
    RawClient client = running.clientBefore(origin.port());

    client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n").readHead();

    assertThat(client.get("/b").readAll().text()).isEqualTo("b");
    assertThat(origin.connections()).isEqualTo(2);
  }

  /** H02, DEC-35: ten interim answers are fine, seventeen are not. */
  @Test
  void h02_interimAnswers_areBounded() {
    String interim = "HTTP/1.1 100 Continue\r\n\r\n";
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(interim.repeat(10) + OK),
            TrickScript.begin().readHead().write(interim.repeat(17) + OK));
    Sluice proxy = running.proxy(origin.port(), ProxyFile.plain().origin("max_idle: 0"));

    assertThat(running.client(proxy).get("/a").readAll().status()).isEqualTo(200);
    assertThat(running.client(proxy).get("/b").readAll().status()).isEqualTo(502);
  }

  // Stale connections.

  /** DEC-29: one further attempt, on a new connection, and no more. */
  @Test
  void dec29_secondAttemptDiesToo_is502AfterTwo() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(OK).readHead().close(),
            TrickScript.begin().readHead().close());
    RawClient client = running.clientBefore(origin.port());

    assertThat(client.get("/a").readAll().text()).isEqualTo("ok");
    assertThat(client.get("/b").readAll().status()).isEqualTo(502);
    assertThat(origin.connections()).isEqualTo(2);
  }

  /** DEC-29: a connection that was new has no further attempt. */
  @Test
  void dec29_newConnectionDies_is502AfterOne() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().close());
    RawClient client = running.clientBefore(origin.port());

    assertThat(client.get("/a").readAll().status()).isEqualTo(502);
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** DEC-29: nor has one that had begun to answer. */
  @Test
  void dec29_reusedConnectionDiesWithinItsHead_is502AfterOne() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(OK).readHead().write("HTTP/1.1 20").close());
    RawClient client = running.clientBefore(origin.port());

    assertThat(client.get("/a").readAll().text()).isEqualTo("ok");
    assertThat(client.get("/b").readAll().status()).isEqualTo(502);
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** A04: what was sent of a POST, whole or half, with or without a body, is sent once. */
  @Test
  void a04_unsafeRequests_areSentOnce() {
    for (String request :
        new String[] {
          "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
          "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
          "PATCH /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
          "DELETE /b HTTP/1.1\r\nHost: a\r\n\r\n",
          "BREW /b HTTP/1.1\r\nHost: a\r\n\r\n"
        }) {
      TrickOrigin origin =
          running.trickOrigin(
              TrickScript.begin().readHead().write(OK).readHead().close(),
              TrickScript.begin().readHead().write(OK));
      RawClient client = running.clientBefore(origin.port());

      assertThat(client.get("/a").readAll().text()).isEqualTo("ok");
      assertThat(client.send(request).readAll().status()).as(request).isEqualTo(502);
      assertThat(origin.connections()).as(request).isEqualTo(1);
    }
  }

  /** DEC-29: what cannot be asked twice takes no connection that was idle for long. */
  @Test
  void dec29_unsafeRequest_takesNoLongIdleConnection() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write(OK), TrickScript.begin().readHead().write(OK));
    Sluice proxy = running.proxy(origin.port(), slowHeads());
    RawClient client = running.client(proxy);
    assertThat(client.get("/a").readAll().text()).isEqualTo("ok");

    passTime(proxy);
    client.send("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");

    assertThat(client.readAll().text()).isEqualTo("ok");
    assertThat(origin.connections()).isEqualTo(2);
  }

  // Bounds.

  /** DEC-37: at the bound a flight waits for a connection and takes the one that comes back. */
  @Test
  void dec37_maxConnections_aFlightWaitsForTheOneThatComesBack() {
    var release = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().await(release).answer("1").readHead().answer("2"));
    Sluice proxy = running.proxy(origin.port(), oneConnection("origin_connect: 8s"));
    RawClient first = running.client(proxy).get("/a/1");
    origin.connection(0).awaitReceived("/a/1");
    RawClient second = running.client(proxy).get("/a/2");
    Running.await("2 asked", () -> Running.granted(proxy, "static") == 2);

    release.countDown();

    assertThat(first.readAll().text()).isEqualTo("1");
    assertThat(second.readAll().text()).isEqualTo("2");
    assertThat(origin.connections()).isEqualTo(1);
  }

  /** DEC-37: the wait ends with a reason of its own. */
  @Test
  void dec37_maxConnections_theWaitIsBounded() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead());
    Sluice proxy = running.proxy(origin.port(), oneConnection("origin_connect: 200ms"));
    RawClient first = running.client(proxy).get("/a/1");
    origin.connection(0).awaitReceived("/a/1");

    assertThat(running.client(proxy).get("/a/2").readAll().status()).isEqualTo(503);
    assertThat(origin.connections()).isEqualTo(1);
    first.reset();
  }

  /** DEC-37: a connection that ends makes room for another. */
  @Test
  void dec37_maxConnections_anEndMakesRoom() {
    var release = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().await(release).close(),
            TrickScript.begin().readHead().answer("2"));
    Sluice proxy = running.proxy(origin.port(), oneConnection("origin_connect: 8s"));
    RawClient first = running.client(proxy).get("/a/1");
    origin.connection(0).awaitReceived("/a/1");
    RawClient second = running.client(proxy).get("/a/2");
    Running.await("2 asked", () -> Running.granted(proxy, "static") == 2);

    release.countDown();

    assertThat(first.readAll().status()).isEqualTo(502);
    assertThat(second.readAll().text()).isEqualTo("2");
  }

  /** DEC-37: an idle connection that will not do gives way; the flight does not wait for it. */
  @Test
  void dec37_maxConnections_anIdleOneThatWillNotDoGivesWay() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().answer("1").readUntilClose(),
            TrickScript.begin().readHead().answer("2"));
    Sluice proxy =
        running.proxy(
            origin.port(),
            oneConnection("origin_connect: 3s, client_header: 700ms, origin_idle: 9s"));
    RawClient client = running.client(proxy);
    assertThat(client.get("/a/1").readAll().text()).isEqualTo("1");

    passTime(proxy);
    client.send("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");

    assertThat(client.readAll().text()).isEqualTo("2");
    assertThat(origin.connections()).isEqualTo(2);
  }

  @Test
  void maxIdle_moreThanThat_areClosed() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), ProxyFile.plain().origin("max_idle: 2"));
    RawClient[] clients = new RawClient[6];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = running.client(proxy).get("/x?ms=1000");
    }
    for (RawClient client : clients) {
      assertThat(client.readAll().status()).isEqualTo(200);
    }

    Running.await("2 connections", () -> origin.stats().connectionsNow() == 2);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(6);
  }

  private static ProxyFile oneConnection(String timeouts) {
    return ProxyFile.plain()
        .origin("concurrency: { max: 1 }")
        .origin("max_connections: 1")
        .block("timeouts: { " + timeouts + " }")
        .block("routes: [ { id: assets, match: \"/a/**\", class: static } ]");
  }

  private static ProxyFile slowHeads() {
    return ProxyFile.plain().block("timeouts: { client_header: 700ms, origin_idle: 9s }");
  }

  /** Lets more than half a second pass on the proxy's own clock, without a word to the origin. */
  private static void passTime(Sluice proxy) {
    assertThat(running.client(proxy).send("GET / HT").readAll().status()).isEqualTo(408);
  }
}
