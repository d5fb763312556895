package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.governor.fetch.Names;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An address that was given to somebody else gets nothing of a client's (H12), by what those at
 * both addresses counted.
 */
class IdentityTest {

  private static final String PROOF = "identity: { path: \"/who\", header: X-Origin, value: shop }";

  private static final String SHAKE =
      "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

  @RegisterExtension static final Running running = new Running();

  private List<String> zone = List.of("127.0.0.1");
  private final Names names = host -> addresses();

  private static ProxyFile file(String... origin) {
    ProxyFile file = ProxyFile.plain().server("debug_headers: true").origin(PROOF);
    for (String line : origin) {
      file = file.origin(line);
    }
    return file;
  }

  private static SlowOrigin named(String name, String host, int port) {
    return running.closing(SlowOrigin.start(new SlowOriginSettings(host, port, 1, 1, 0, name)));
  }

  private static SlowOrigin named(String name) {
    return named(name, "127.0.0.1", 0);
  }

  private static RawResponse get(Sluice proxy, String target) {
    return running.client(proxy).get(target).readAll();
  }

  /** The container moved, and its old address is another tenant's: who is asked there? */
  @ParameterizedTest
  @ValueSource(strings = {"http1", "http2"})
  void h12_recycledAddress_getsNoRequest(String version) {
    SlowOrigin stranger = named("other");
    Sluice proxy = running.proxy(file("http_version: " + version), names, "web:" + stranger.port());

    RawResponse answer =
        running
            .client(proxy)
            .send("GET /page HTTP/1.1\r\nHost: a\r\nCookie: session=secret\r\n\r\n")
            .readAll();

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.header("Proxy-Status"))
        .isEqualTo("sluice; error=destination_ip_prohibited; details=\"origin_stranger\"");
    assertThat(stranger.stats().requestsUnder("/page")).isZero();
    assertThat(stranger.stats().requestsUnder("/who")).isOne();
    Running.await("its connection's end", () -> stranger.stats().connectionsNow() == 0);
  }

  /** Once for each connection: it leads to one process for its life. */
  @Test
  void h12_connectionThatWasIntroduced_isUsedAgain() {
    SlowOrigin shop = named("shop");
    Sluice proxy = running.proxy(shop.port(), file());
    for (int i = 0; i < 5; i++) {
      assertThat(get(proxy, "/page").header("X-Origin")).isEqualTo("shop");
    }

    assertThat(shop.stats().requestsUnder("/page")).isEqualTo(5);
    assertThat(shop.stats().requestsUnder("/who")).isOne();
    assertThat(shop.stats().connectionsTotal()).isOne();
  }

  /** And one of HTTP/2 for all of its streams, those that waited for it among them. */
  @Test
  void h12_http2_isIntroducedOnceForAllStreams() {
    SlowOrigin shop = named("shop");
    Sluice proxy = running.proxy(shop.port(), file("http_version: http2"));
    List<RawClient> crowd =
        IntStream.range(0, 10).mapToObj(i -> running.client(proxy).get("/page?ms=100")).toList();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).containsOnly(200);
    assertThat(shop.stats().http2Requests()).isEqualTo(11);
    assertThat(shop.stats().requestsUnder("/who")).isOne();
    assertThat(shop.stats().connectionsTotal()).isOne();
  }

  /** Of several addresses of one name the stranger's costs a question and no request. */
  @Test
  void h12_severalAddresses_theStrangerIsGoneRound() {
    SlowOrigin shop = named("shop");
    SlowOrigin stranger = named("other", "127.0.0.2", shop.port());
    zone = List.of("127.0.0.1", "127.0.0.2");
    Sluice proxy = running.proxy(file("max_idle: 0"), names, "web:" + shop.port());
    for (int i = 0; i < 8; i++) {
      assertThat(get(proxy, "/page").header("X-Origin")).isEqualTo("shop");
    }

    assertThat(stranger.stats().requestsUnder("/page")).isZero();
    assertThat(stranger.stats().requestsUnder("/who")).isOne();
  }

  /** A request that nobody saw may go elsewhere, once, whatever comes of the retry. */
  @Test
  void h12_otherUpstream_isAskedInstead() {
    SlowOrigin shop = named("shop");
    SlowOrigin stranger = named("other");
    Sluice proxy =
        running.proxy(
            file("retry: { enabled: true, budget_min: 100 }"),
            "127.0.0.1:" + stranger.port(),
            "127.0.0.1:" + shop.port());
    for (int i = 0; i < 6; i++) {
      assertThat(get(proxy, "/page").status()).isEqualTo(200);
    }

    assertThat(stranger.stats().requestsUnder("/page")).isZero();
    assertThat(shop.stats().requestsUnder("/page")).isEqualTo(6);
  }

  /** Who asks whether it is well is told, too. */
  @Test
  void h12_probes_findAStrangerUnhealthy() {
    SlowOrigin shop = named("shop");
    SlowOrigin stranger = named("other");
    Sluice proxy =
        running.proxy(
            file("health: { path: \"/probe\", interval: 100ms, timeout: 100ms }"),
            "127.0.0.1:" + stranger.port(),
            "127.0.0.1:" + shop.port());
    var operator = new Operator(running, proxy);
    Running.await("unhealthy", () -> !operator.status().at("/upstreams/0/healthy").asBoolean());

    assertThat(operator.status().at("/upstreams/0/last_probe").asText())
        .isEqualTo("origin_stranger");
    assertThat(stranger.stats().requestsUnder("/probe")).isZero();
    for (int i = 0; i < 4; i++) {
      assertThat(get(proxy, "/page").header("X-Origin")).isEqualTo("shop");
    }
  }

  /** A tunnel is a connection of its own, and asks as well. */
  @ParameterizedTest
  @ValueSource(strings = {"shop", "other"})
  void h12_webSocket_isOpenedToWhoIsTheOne(String name) {
    SlowOrigin origin = named(name);
    Sluice proxy = running.proxy(origin.port(), file().block("upgrade: { enabled: true }"));
    RawClient client = running.client(proxy).send(SHAKE);

    assertThat(client.readHead()).startsWith(name.equals("shop") ? "HTTP/1.1 101" : "HTTP/1.1 502");
    assertThat(origin.stats().requestsUnder("/who")).isOne();
    int sockets = name.equals("shop") ? 1 : 0;
    Running.await("the socket", () -> origin.stats().socketsTotal() == sockets);
    client.close();
    Running.await("nothing in flight", () -> proxy.ceilings().inFlight() == 0);
  }

  /** One that does not say who it is in the time of a connect. */
  @Test
  void h12_silence_isATimeout_andNoRequest() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "x"))).hold();
    Sluice proxy =
        running.proxy(origin.port(), file().block("timeouts: { origin_connect: 200ms }"));

    assertThat(get(proxy, "/page").header("Proxy-Status")).contains("connection_timeout");
    assertThat(origin.requests()).isOne();
    assertThat(origin.request(0).head()).startsWith("HEAD /who HTTP/1.1\r\n");
  }

  /** One that closes behind its answer can never be asked: that is told, and not tried for ever. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nX-Origin: shop\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "",
        "SSH-2.0-OpenSSH_9.2p1\r\n\r\n"
      })
  void h12_noConnectionToKeep_isA502BehindOneQuestion(String answer) {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> answer));
    Sluice proxy = running.proxy(origin.port(), file());

    assertThat(get(proxy, "/page").status()).isEqualTo(502);
    assertThat(origin.requests()).isOne();
    Running.awaitInFlight(proxy, 0);
    assertThat(new Operator(running, proxy).status().at("/upstreams/0/connections").asInt())
        .isZero();
  }

  /** Whatever the status, and to the letter. */
  @ParameterizedTest
  @ValueSource(strings = {"404 No|x-origin: shop|200", "200 OK|X-Origin: Shop|502", "200 OK||502"})
  void h12_field_isCompared(String row) {
    String[] columns = row.split("\\|", -1);
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    asked.method().equals("HEAD")
                        ? HeldOrigin.answer(columns[0], columns[1], "")
                        : HeldOrigin.ok("", "page")));

    assertThat(get(running.proxy(origin.port(), file()), "/page").status())
        .isEqualTo(Integer.parseInt(columns[2]));
  }

  /** A reload that asks for a proof asks all that are idle. */
  @Test
  void reload_withAProof_closesWhoGaveNone() {
    SlowOrigin stranger = named("other");
    ProxyFile before = ProxyFile.plain();
    Sluice proxy = running.proxy(stranger.port(), before);
    assertThat(get(proxy, "/page").status()).isEqualTo(200);

    Running.reload(proxy, file(), "127.0.0.1:" + stranger.port());
    Running.await("the old connection's end", () -> stranger.stats().connectionsNow() == 0);

    assertThat(get(proxy, "/page").status()).isEqualTo(502);
    assertThat(stranger.stats().requestsUnder("/page")).isOne();
  }

  /** And who is busy meanwhile serves that request and no other. */
  @ParameterizedTest
  @ValueSource(strings = {"http1", "http2"})
  void reload_withAProof_closesWhoIsBusyBehindItsAnswer(String version) {
    String speaks = "http_version: " + version;
    SlowOrigin stranger = named("other");
    Sluice proxy = running.proxy(stranger.port(), ProxyFile.plain().origin(speaks));
    RawClient busy = running.client(proxy).get("/page?ms=1000");
    Running.awaitRequests(stranger, 1);

    Running.reload(proxy, file(speaks), "127.0.0.1:" + stranger.port());

    assertThat(busy.readAll().status()).isEqualTo(200);
    assertThat(get(proxy, "/page").status()).isEqualTo(502);
    assertThat(stranger.stats().requestsUnder("/page")).isOne();
  }

  private List<InetAddress> addresses() throws UnknownHostException {
    List<InetAddress> found = new ArrayList<>();
    for (String address : zone) {
      found.add(InetAddress.getByName(address));
    }
    return found;
  }
}
