package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.net.NetSettings.TransportChoice;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP/2 to an origin by prior knowledge (ORG-25, ORG-26, DEC-50), over a real one. */
@ParameterizedClass
@EnumSource(
    value = TransportChoice.class,
    names = {"AUTO", "NIO"})
class Http2OriginTest {

  @RegisterExtension static final Running running = new Running();

  private final ProxyFile http1;
  private final ProxyFile http2;

  Http2OriginTest(TransportChoice transport) {
    http1 = ProxyFile.plain().transport(transport);
    http2 = http1.origin("http_version: http2");
  }

  @Test
  void org25_keyAbsent_theOriginIsAskedOverHttp1() {
    SlowOrigin origin = running.slowOrigin();
    assertThat(running.clientBefore(origin.port(), http1).get("/x?bytes=5").readAll().status())
        .isEqualTo(200);
    assertThat(origin.stats().http2Requests()).isZero();
  }

  @Test
  void org26_http2_isSpokenByPriorKnowledge() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), http2);
    for (int i = 0; i < 3; i++) {
      RawResponse got = client.get("/x?bytes=5000").readAll();
      assertThat(got.status()).isEqualTo(200);
      assertThat(got.body()).hasSize(5000);
      assertThat(got.header("Content-Length")).isEqualTo("5000");
    }
    assertThat(origin.stats().http2Requests()).isEqualTo(3);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(1);
  }

  /** An upstream that knows nothing but HTTP/1.1 is said at once. */
  @Test
  void org26_originWithoutHttp2_is502() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> "HTTP/1.1 400 Bad\r\n\r\n"));
    assertThat(running.clientBefore(origin.port(), http2).get("/x").readAll().status())
        .isEqualTo(502);
  }

  @Test
  void originDown_is502() {
    int nobody;
    try (SlowOrigin origin = SlowOrigin.start(SlowOriginSettings.defaults())) {
      nobody = origin.port();
    }
    assertThat(running.clientBefore(nobody, http2).get("/x").readAll().status()).isEqualTo(502);
  }

  @Test
  void methodsAndBodiesAndStatuses_passAsOverHttp1() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), http2);
    client.send("HEAD /x?bytes=77 HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.readHead()).contains("200 OK").contains("content-length: 77");
    client.get("/x?status=204");
    assertThat(client.readHead()).startsWith("HTTP/1.1 204 No Content");
    client.send("GET /x?etag=v1 HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"v1\"\r\n\r\n");
    assertThat(client.readHead()).startsWith("HTTP/1.1 304 Not Modified");
    assertThat(client.get("/x?bytes=0").readAll().header("Content-Length")).isEqualTo("0");
    assertThat(client.get("/x?status=404&bytes=3").readAll().status()).isEqualTo(404);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(1);
  }

  /** PRX-12, in both framings, and more than a window. */
  @Test
  void uploads_arriveWhole() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), http2);
    String much = "u".repeat(700_000);
    client.send("POST /x?echo=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 700000\r\n\r\n" + much);
    assertThat(client.readAll().text()).contains("700000");
    client.send("POST /x?echo=1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.send("aae60\r\n" + much + "\r\n0\r\nX-Sum: 1\r\n\r\n");
    assertThat(client.readAll().text()).contains("700000");
    assertThat(origin.stats().http2Requests()).isEqualTo(2);
  }

  /** PRX-13, and field case H02: 1xx, a body piece by piece, trailers. */
  @Test
  void interimsAndTrailers_pass() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port(), http2);
    client.get("/x?early=103&bytes=30&chunks=3&every=5&trailer=X-End:yes");
    assertThat(client.readHead())
        .startsWith("HTTP/1.1 103 Early Hints")
        .contains("link: </style.css>");
    RawResponse got = client.readAll();
    assertThat(got.body()).hasSize(30);
    assertThat(got.trailers().toLowerCase(java.util.Locale.ROOT)).contains("x-end: yes");
  }

  /** DEC-50: one connection carries them, and nobody opens another for each. */
  @Test
  void dec50_manyAtOnce_shareAConnection() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), http2);
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      clients.add(running.client(proxy).get("/x?ms=1500&bytes=1000"));
    }
    clients.forEach(client -> assertThat(client.readAll().body()).hasSize(1000));
    assertThat(origin.stats().connectionsTotal()).isEqualTo(1);
    assertThat(origin.stats().peakInFlight()).isEqualTo(40);
  }

  /** DEC-50: a full connection means another, up to the bound; then the wait that DEC-37 says. */
  @Test
  void dec50_fullConnection_meansAnother() {
    SlowOrigin origin = limited(2);
    Sluice proxy = running.proxy(origin.port(), http2);
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      clients.add(running.client(proxy).get("/x?ms=1000&bytes=10"));
    }
    clients.forEach(client -> assertThat(client.readAll().status()).isEqualTo(200));
    assertThat(origin.stats().connectionsTotal()).isEqualTo(3);
    assertThat(origin.stats().failed() + origin.stats().aborted()).isZero();
  }

  @Test
  void dec50_atTheBound_whoComesLaterWaitsForAStream() {
    SlowOrigin origin = limited(1);
    Sluice proxy =
        running.proxy(
            origin.port(),
            http2
                .origin("concurrency: { max: 2, queue: { max: 20 } }")
                .origin("max_connections: 2"));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      clients.add(running.client(proxy).get("/x?ms=20&bytes=10"));
    }
    clients.forEach(client -> assertThat(client.readAll().status()).isEqualTo(200));
    assertThat(origin.stats().connectionsTotal()).isLessThanOrEqualTo(2);
    assertThat(origin.stats().requests()).isEqualTo(8);
  }

  private static SlowOrigin limited(int streams) {
    return running.closing(SlowOrigin.start(SlowOriginSettings.defaults().withMaxStreams(streams)));
  }

  /** F02: a client that does not read holds up its own stream and no other. */
  @Test
  void f02_slowReader_stallsNoSibling() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), http2);
    RawClient slow = running.slowReader(proxy, 4096).get("/slow?bytes=33554432");
    slow.readHead();
    for (int i = 0; i < 20; i++) {
      assertThat(running.client(proxy).get("/x?bytes=200000").readAll().body()).hasSize(200_000);
      assertThat(proxy.status().memory().directUsed()).isLessThan(24 << 20);
    }
    assertThat(origin.stats().connectionsTotal()).isEqualTo(1);
    assertThat(origin.stats().bytesWritten()).isLessThan(33_554_432);
    assertThat(slow.readBody(33_554_432)).hasSize(33_554_432);
  }

  /** DEC-28: a client that leaves resets its stream; the connection serves on. */
  @Test
  void dec28_close_resetsTheStreamAndNothingElse() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(), http2.origin("on_client_abort: close").origin("abandon_hold: 0s"));
    RawClient leaving = running.client(proxy).get("/x?ms=30000");
    Running.awaitRequests(origin, 1);
    leaving.reset();
    Running.await("abort", () -> origin.stats().aborted() == 1);
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(1);
  }

  /** C03: the origin's reset in mid-body is a cut, never a tidy end. */
  @Test
  void c03_resetInMidBody_isCutShort() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client =
        running.clientBefore(origin.port(), http2).get("/x?bytes=100&fail=short-reset");
    assertThat(client.readHead()).contains("Content-Length: 100");
    assertThat(client.readUntilClose().length).isLessThan(100);
  }

  /** An idle connection is given up after origin_idle. */
  @Test
  void idleConnection_isClosedAfterOriginIdle() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), http2.block("timeouts: { origin_idle: 200ms }"));
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    Running.await("close", () -> origin.stats().connectionsNow() == 0);
    // The origin may know of the end first.
    Running.await("none", () -> proxy.status().upstreams().get(0).connections() == 0);
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(2);
  }

  @Test
  void silentOrigin_is504AndTheConnectionServesOn() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(origin.port(), http2.block("timeouts: { origin_response: 300ms }"));
    assertThat(running.client(proxy).get("/x?ms=30000").readAll().status()).isEqualTo(504);
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(1);
  }

  /** What a request carries (RFC 9113 8.2.2, 8.2.3, 8.3.1; DEC-46, PRX-30, PRX-31). */
  @Test
  void request_isWrittenAsHttp2WantsIt() {
    List<Http2Headers> asked = new CopyOnWriteArrayList<>();
    FrameOrigin origin =
        running.closing(
            FrameOrigin.start(
                (connection, stream, fields) -> {
                  asked.add(fields);
                  connection.headers(stream, FrameOrigin.END_STREAM, ":status", "200");
                }));
    RawClient client = running.clientBefore(origin.port(), http2);
    client.send(
        "GET /p?q=1 HTTP/1.1\r\nHost: Shop.example:81\r\nConnection: keep-alive, X-Mine\r\n"
            + "Keep-Alive: 5\r\nX-Mine: 1\r\nTE: trailers, gzip\r\nCookie: a=1; b=2\r\n"
            + "Upgrade: h2c\r\nX-Forwarded-For: 9.9.9.9\r\nForwarded: for=x\r\nX-Odd: \u00e9\r\n\r\n");
    assertThat(client.readAll().status()).isEqualTo(200);
    Http2Headers fields = asked.get(0);
    assertThat(fields.method()).hasToString("GET");
    assertThat(fields.scheme()).hasToString("http");
    assertThat(fields.path()).hasToString("/p?q=1");
    assertThat(fields.authority()).hasToString("Shop.example:81");
    assertThat(fields.getAll("cookie").stream().map(CharSequence::toString))
        .containsExactly("a=1", "b=2");
    assertThat(fields.getAll("te").stream().map(CharSequence::toString))
        .containsExactly("trailers");
    assertThat(fields.getAll("x-forwarded-for").stream().map(CharSequence::toString))
        .containsExactly("127.0.0.1");
    assertThat(fields.get("x-forwarded-host")).hasToString("Shop.example:81");
    assertThat(fields.get("x-odd")).hasToString("\u00e9");
    assertThat(fields.get("via").toString()).startsWith("1.1 sluice-");
    for (String gone :
        new String[] {
          "host", "connection", "keep-alive", "upgrade", "x-mine", "forwarded", "content-length"
        }) {
      assertThat(fields.contains(gone)).as(gone).isFalse();
    }
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      String name = field.getKey().toString();
      assertThat(name).isEqualTo(name.toLowerCase(java.util.Locale.ROOT));
    }
  }

  /** WebSockets are asked for over HTTP/1.1 all the same (DEC-41). */
  @Test
  void upgrade_goesOverHttp1() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), http2.block("upgrade: { enabled: true }"));
    RawClient client = running.client(proxy);
    client.send(
        "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    assertThat(client.readHead()).startsWith("HTTP/1.1 101");
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    assertThat(origin.stats().http2Requests()).isEqualTo(1);
  }
}
