package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the rows of Next.js and of coalescing say where a WebSocket comes along. */
class NextSocketsTest {

  private static final String AGREED =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

  /** A masked text frame "hi", and what an echo says of it. */
  private static final byte[] HI = {(byte) 0x81, (byte) 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2};

  private static final byte[] ECHO = {(byte) 0x81, 2, 'h', 'i'};

  private static final String PUBLIC =
      "{ id: all, match: \"/**\", class: public_ssr, cache: { override_origin: true, ttl: { max: 60s }"
          + " }, coalesce: { enabled: true } }";

  @RegisterExtension static final Running running = new Running();

  private static String shake(String target, String... fields) {
    var head = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n");
    head.append("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
    head.append("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return head + "\r\n";
  }

  private static ProxyFile site(boolean sockets) {
    return Visitors.site(PUBLIC).block("upgrade: { enabled: " + sockets + " }");
  }

  /** NXT-23: hot reload of {@code next dev}. */
  @ParameterizedTest
  @ValueSource(strings = {"/_next/webpack-hmr?id=x", "/_next/hmr", "/app/_next/webpack-hmr"})
  void nxt23_hotReload_needsUpgrades(String target) {
    SlowOrigin origin = running.slowOrigin();

    RawResponse off =
        running.client(running.proxy(origin.port(), site(false))).send(shake(target)).readAll();
    assertThat(off.status()).isEqualTo(501);
    assertThat(origin.stats().connectionsTotal()).isZero();

    RawClient client =
        running.client(running.proxy(origin.port(), site(true))).send(shake(target)).send(HI);
    assertThat(client.readHead()).startsWith("HTTP/1.1 101");
    assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
  }

  /** COA-09: at once, on a route that shares all it can, beside a page of the same address. */
  @Test
  void coa09_socketsAtOnce_haveAConnectionEach_andDisturbNoFlight() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), site(true));
    String target = "/chat?ms=300&bytes=9";
    List<RawClient> pages = new ArrayList<>();
    List<RawClient> sockets = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      pages.add(running.client(proxy).get(target));
      sockets.add(running.client(proxy).send(shake(target)));
    }

    for (RawClient socket : sockets) {
      assertThat(socket.readHead()).startsWith("HTTP/1.1 101");
      assertThat(socket.send(HI).readBody(ECHO.length)).isEqualTo(ECHO);
    }
    assertThat(origin.stats().socketsNow()).isEqualTo(5);
    assertThat(Visitors.readAll(pages)).allMatch(page -> page.body().length == 9);
    assertThat(origin.stats().rendersBegun()).as("the pages are one flight").isOne();
  }

  /** NXT-10 to NXT-13: a draft's socket is a socket; its page stays a draft. */
  @Test
  void nxt10_draftCookie_onAHandshake_goesToTheOrigin() {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(AGREED));
    RawClient client =
        running
            .clientBefore(origin.port(), site(true))
            .send(shake("/preview", "Cookie: __prerender_bypass=abc"));

    assertThat(client.readHead()).startsWith("HTTP/1.1 101");
    assertThat(origin.connection(0).receivedText()).contains("__prerender_bypass=abc");
  }

  /** N03: what a client must not tell a Next.js origin it cannot tell it with a handshake. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-middleware-subrequest: middleware:middleware",
        "X-Middleware-Subrequest: src/middleware",
        "x-now-route-matches: 1",
        "next-resume: 1",
        "x-prerender-revalidate: secret"
      })
  void n03_internalField_onAHandshake_isGone(String field) {
    TrickOrigin origin = running.trickOrigin(TrickScript.begin().readHead().write(AGREED));
    RawClient client = running.clientBefore(origin.port(), site(true)).send(shake("/admin", field));

    assertThat(client.readHead()).startsWith("HTTP/1.1 101");
    assertThat(origin.connection(0).receivedText().toLowerCase(Locale.ROOT))
        .doesNotContain(field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT));
  }

  /** NXT-22, with the route of docs/OPERATIONS.md for probes that come through. */
  @Test
  void nxt22_probeThroughAFullProxy_isAnswered_eachTimeByTheOrigin() {
    var rendered = new CountDownLatch(1);
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked -> {
                  if (asked.target().equals("/page")) {
                    await(rendered);
                  }
                  return HeldOrigin.ok(
                      "Cache-Control: private, no-cache, no-store, max-age=0, must-revalidate",
                      "ok");
                }));
    ProxyFile file =
        Visitors.site(
                "{ id: health, match: /healthz, class: static }",
                "{ id: all, match: \"/**\", class: private_dynamic }")
            .origin("concurrency: { max: 1, queue: { max: 0 } }");
    Visitors visitors = new Visitors(running, running.proxy(origin.port(), file));
    RawClient page = visitors.ask("GET", "/page");
    origin.awaitRequests(1);
    assertThat(visitors.get("/other").status()).isEqualTo(503);

    for (int i = 0; i < 3; i++) {
      assertThat(visitors.get("/healthz").text()).isEqualTo("ok");
    }

    assertThat(origin.requests()).isEqualTo(4);
    rendered.countDown();
    assertThat(page.readAll().status()).isEqualTo(200);
  }

  private static void await(CountDownLatch latch) {
    Running.await("the render's end", () -> latch.getCount() == 0);
  }
}
