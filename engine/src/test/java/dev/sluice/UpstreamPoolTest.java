package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.governor.fetch.Names;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several upstreams behind one proxy (ORG-01 to ORG-10, ORG-31, ORG-34, BEY-23, H12). */
class UpstreamPoolTest {

  private static final String PROBES =
      "health: { path: \"/probe\", interval: 100ms, timeout: 100ms, unhealthy_after: 2,"
          + " healthy_after: 1 }";

  @RegisterExtension static final Running running = new Running();

  private final Map<String, List<String>> zone = new ConcurrentHashMap<>();
  private final Names names = this::resolve;

  // Names.

  @Test
  void org01_addressShortAndLongName_reachTheOrigin() {
    SlowOrigin origin = running.slowOrigin();
    zone.put("web", List.of("127.0.0.1"));
    zone.put("web.default.svc.cluster.local", List.of("127.0.0.1"));
    for (String host : List.of("127.0.0.1", "web", "web.default.svc.cluster.local")) {
      Sluice proxy = running.proxy(ProxyFile.plain(), names, host + ":" + origin.port());

      assertThat(running.client(proxy).get("/" + host).readAll().status()).isEqualTo(200);
    }

    assertThat(origin.stats().requests()).isEqualTo(3);
  }

  /** H12: flights go to the new address, and the idle connection to the old one is closed. */
  @Test
  void h12_nameThatMoves_isFollowed() {
    SlowOrigin before = running.slowOrigin();
    SlowOrigin after = origin("127.0.0.2", before.port());
    zone.put("web", List.of("127.0.0.1"));
    String upstream = "web:" + before.port();
    Sluice proxy = running.proxy(ProxyFile.plain(), names, upstream);
    RawClient client = running.client(proxy);
    assertThat(client.get("/a").readAll().status()).isEqualTo(200);

    zone.put("web", List.of("127.0.0.2"));
    Running.reload(proxy, ProxyFile.plain(), upstream);
    Running.await("the old connection's end", () -> before.stats().connectionsNow() == 0);

    assertThat(client.get("/b").readAll().status()).isEqualTo(200);
    assertThat(before.stats().requests()).isOne();
    assertThat(after.stats().requests()).isOne();
  }

  /** H12: what is under way on an address that goes is answered, and its connection not kept. */
  @Test
  void h12_nameThatMoves_flightsUnderWayGoOn() {
    SlowOrigin before = running.slowOrigin();
    origin("127.0.0.2", before.port());
    zone.put("web", List.of("127.0.0.1"));
    String upstream = "web:" + before.port();
    Sluice proxy = running.proxy(ProxyFile.plain(), names, upstream);
    RawClient client = running.client(proxy).get("/a?ms=500");
    Running.awaitRequests(before, 1);

    zone.put("web", List.of("127.0.0.2"));
    Running.reload(proxy, ProxyFile.plain(), upstream);
    Running.await("the new address", () -> resolved(proxy).equals(List.of("127.0.0.2")));

    assertThat(client.readAll().status()).isEqualTo(200);
    Running.await("the old connection's end", () -> before.stats().connectionsNow() == 0);
  }

  @Test
  void h12_nameThatIsLost_keepsItsAddress() {
    SlowOrigin origin = running.slowOrigin();
    zone.put("web", List.of("127.0.0.1"));
    String upstream = "web:" + origin.port();
    Sluice proxy = running.proxy(ProxyFile.plain(), names, upstream);
    zone.remove("web");
    Running.reload(proxy, ProxyFile.plain(), upstream);

    assertThat(running.client(proxy).get("/a").readAll().status()).isEqualTo(200);
  }

  @Test
  void org01_nameWithoutAddress_is502AndSaysSo() {
    Sluice proxy =
        running.proxy(ProxyFile.plain().server("debug_headers: true"), names, "nobody:3000");

    assertThat(running.client(proxy).get("/a").readAll().header("Proxy-Status"))
        .contains("dns_error");
  }

  /** All addresses of a name are used in turn; one where nobody listens costs no request. */
  @Test
  void h12_severalAddresses_areUsedInTurn_andOneThatRefusesIsGoneRound() {
    SlowOrigin first = running.slowOrigin();
    SlowOrigin second = origin("127.0.0.2", first.port());
    zone.put("web", List.of("127.0.0.1", "127.0.0.2", "127.0.0.3"));
    Sluice proxy =
        running.proxy(ProxyFile.plain().origin("max_idle: 0"), names, "web:" + first.port());
    for (int i = 0; i < 12; i++) {
      assertThat(running.client(proxy).get("/a").readAll().status()).isEqualTo(200);
    }

    assertThat(first.stats().requests()).isBetween(4L, 8L);
    assertThat(first.stats().requests() + second.stats().requests()).isEqualTo(12);
  }

  // Balancing.

  @Test
  void org02_threeUpstreams_thirtyRequests_areTenEach() {
    List<SlowOrigin> origins = origins(3);
    RawClient client = running.client(running.proxy(ProxyFile.plain(), addresses(origins)));
    for (int i = 0; i < 30; i++) {
      assertThat(client.get("/p" + i).readAll().status()).isEqualTo(200);
    }

    assertThat(origins).extracting(origin -> origin.stats().requests()).containsOnly(10L);
  }

  @Test
  void org03_hashByPath_onePathOneUpstream_manyPathsAll() {
    List<SlowOrigin> origins = origins(3);
    RawClient client =
        running.client(
            running.proxy(
                ProxyFile.plain().origin("load_balancing: hash_by_path"), addresses(origins)));
    for (int i = 0; i < 10; i++) {
      client.get("/one?n=" + i).readAll();
    }
    assertThat(origins).extracting(origin -> origin.stats().requests()).containsOnlyOnce(10L);

    for (int i = 0; i < 60; i++) {
      client.get("/p" + i).readAll();
      client.get("/p" + i).readAll();
    }

    assertThat(origins).allMatch(origin -> origin.stats().requestsUnder("/p") >= 20);
    assertThat(origins)
        .allMatch(
            origin ->
                origin.stats().paths().entrySet().stream()
                    .filter(path -> path.getKey().startsWith("/p"))
                    .allMatch(path -> path.getValue() == 2));
  }

  @Test
  void org31_sequentialRequests_useOneConnectionEach() {
    List<SlowOrigin> origins = origins(2);
    RawClient client = running.client(running.proxy(ProxyFile.plain(), addresses(origins)));
    for (int i = 0; i < 100; i++) {
      client.get("/p" + i).readAll();
    }

    assertThat(origins).extracting(origin -> origin.stats().connectionsTotal()).containsOnly(1L);
  }

  // The ceiling of each.

  @Test
  void bey23_perUpstream_isTheOriginsOwnPeak() {
    List<SlowOrigin> origins = origins(2);
    Sluice proxy =
        running.proxy(
            ProxyFile.plain().origin("concurrency: { max: 10, per_upstream: 2 }"),
            addresses(origins));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      clients.add(running.client(proxy).get("/p" + i + "?ms=1000"));
    }
    Running.awaitInFlight(proxy, 4);
    JsonNode upstream = new Operator(running, proxy).status().at("/upstreams/0");
    assertThat(upstream.get("units").asInt()).isEqualTo(2);
    assertThat(upstream.get("units_limit").asInt()).isEqualTo(2);

    clients.forEach(client -> assertThat(client.readAll().status()).isEqualTo(200));
    assertThat(origins).extracting(origin -> origin.stats().peakInFlight()).containsOnly(2L);
  }

  // Health.

  @Test
  void org06_failingProbe_isUnhealthyInStatus_andGetsNothing() {
    List<SlowOrigin> origins = origins(2);
    origins.get(0).override("status=500");
    Sluice proxy = running.proxy(ProxyFile.plain().origin(PROBES), addresses(origins));
    var operator = new Operator(running, proxy);
    Running.await("unhealthy", () -> !operator.status().at("/upstreams/0/healthy").asBoolean());
    assertThat(operator.status().at("/upstreams/0/in_use").asBoolean()).isFalse();
    assertThat(operator.status().at("/upstreams/0/last_probe").asText()).isEqualTo("status_500");
    assertThat(operator.metrics())
        .contains(
            "sluice_upstream_healthy{upstream=\"127.0.0.1:%d\"} 0.0".formatted(port(origins, 0)))
        .contains(
            "sluice_upstream_healthy{upstream=\"127.0.0.1:%d\"} 1.0".formatted(port(origins, 1)));
    // BEY-23: one of two in use, half of the 64.
    assertThat(operator.status().at("/admission/render/limit").asInt()).isEqualTo(32);

    for (int i = 0; i < 10; i++) {
      assertThat(running.client(proxy).get("/p").readAll().status()).isEqualTo(200);
    }
    assertThat(origins.get(0).stats().requestsUnder("/p" + "robe"))
        .isEqualTo(origins.get(0).stats().requests());

    origins.get(0).override("");
    Running.await("healthy", () -> operator.status().at("/upstreams/0/healthy").asBoolean());
    assertThat(operator.status().at("/admission/render/limit").asInt()).isEqualTo(64);
  }

  @Test
  void org07_withoutHealth_nobodyIsProbed() {
    List<SlowOrigin> origins = origins(2);
    Sluice proxy = running.proxy(ProxyFile.plain(), addresses(origins));
    RawClient client = running.client(proxy);
    client.get("/a?ms=100").readAll();
    client.get("/b").readAll();

    assertThat(origins).extracting(origin -> origin.stats().requests()).containsOnly(1L);
    assertThat(origins).extracting(origin -> origin.stats().connectionsTotal()).containsOnly(1L);
    assertThat(new Operator(running, proxy).status().at("/upstreams/0/last_probe").isNull())
        .isTrue();
  }

  @Test
  void org08_allProbesFail_requestsAreSentAllTheSame() {
    List<HeldOrigin> origins = List.of(deadProbes(), deadProbes());
    Sluice proxy =
        running.proxy(
            ProxyFile.plain().origin(PROBES),
            "127.0.0.1:" + origins.get(0).port(),
            "127.0.0.1:" + origins.get(1).port());
    var operator = new Operator(running, proxy);
    Running.await(
        "all unhealthy",
        () ->
            !operator.status().at("/upstreams/0/healthy").asBoolean()
                && !operator.status().at("/upstreams/1/healthy").asBoolean());

    assertThat(running.client(proxy).get("/a").readAll().status()).isEqualTo(200);
    assertThat(running.client(proxy).get("/b").readAll().status()).isEqualTo(200);
    assertThat(operator.status().at("/admission/render/limit").asInt()).isEqualTo(64);
  }

  @Test
  void org09org10_healthyAndEjectedAtOnce_isVisible() {
    List<SlowOrigin> origins = origins(2);
    Sluice proxy = running.proxy(ProxyFile.plain().origin(PROBES), addresses(origins));
    var operator = new Operator(running, proxy);

    proxy.upstreams().all().get(0).eject(true);

    JsonNode first = operator.status().at("/upstreams/0");
    assertThat(first.get("healthy").asBoolean()).isTrue();
    assertThat(first.get("ejected").asBoolean()).isTrue();
    assertThat(first.get("in_use").asBoolean()).isFalse();
    String label = "{upstream=\"127.0.0.1:%d\"} 1.0".formatted(port(origins, 0));
    assertThat(operator.metrics())
        .contains("sluice_upstream_healthy" + label)
        .contains("sluice_upstream_ejected" + label);
  }

  /** A06: probes take no permit, and a full origin is not a dead one. */
  @Test
  void a06_everyPermitTaken_probesGoOn() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            ProxyFile.plain().origin(PROBES).origin("concurrency: { max: 1 }"),
            "127.0.0.1:" + origin.port());
    RawClient holding = running.client(proxy).get("/p?ms=1000");
    RawClient waiting = running.client(proxy).get("/p?ms=1");
    Running.awaitWaiting(proxy, 1);
    long before = origin.stats().requestsUnder("/probe");

    Running.await("three more probes", () -> origin.stats().requestsUnder("/probe") >= before + 3);

    assertThat(new Operator(running, proxy).status().at("/upstreams/0/healthy").asBoolean())
        .isTrue();
    assertThat(holding.readAll().status()).isEqualTo(200);
    assertThat(waiting.readAll().status()).isEqualTo(200);
  }

  /** A06: nor is the operator's door one that can be full, and overloaded is not unready. */
  @Test
  void a06_everyPermitAndPlaceTaken_theOperatorIsAnswered() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "x"))).hold();
    Sluice proxy =
        running.proxy(
            origin.port(),
            ProxyFile.plain()
                .origin("concurrency: { max: 1, queue: { max: 1, timeout: 9s, predict: false } }"));
    List<RawClient> crowd = new ArrayList<>();
    crowd.add(running.client(proxy).get("/holds"));
    origin.awaitRequests(1);
    crowd.add(running.client(proxy).get("/waits"));
    Running.awaitWaiting(proxy, 1);
    assertThat(running.client(proxy).get("/shed").readAll().status()).isEqualTo(503);

    var operator = new Operator(running, proxy);
    for (String page : List.of("/health/live", "/health/ready", "/status", "/metrics")) {
      assertThat(operator.ask("GET", page).status()).as(page).isEqualTo(200);
    }

    assertThat(origin.requests()).isOne();
    origin.release();
    crowd.forEach(client -> assertThat(client.readAll().status()).isEqualTo(200));
  }

  // Reload.

  @Test
  void dec36_upstreamsComeAndGo_nothingUnderWayIsCut() {
    List<SlowOrigin> origins = origins(3);
    String[] all = addresses(origins);
    Sluice proxy = running.proxy(ProxyFile.plain(), all[0], all[1]);
    RawClient onFirst = running.client(proxy).get("/slow?ms=1500");
    Running.awaitRequests(origins.get(0), 1);
    RawClient onSecond = running.client(proxy).get("/slow?ms=1500");
    Running.awaitRequests(origins.get(1), 1);

    Running.reload(proxy, ProxyFile.plain(), all[1], all[2]);

    JsonNode status = new Operator(running, proxy).status();
    assertThat(status.at("/upstreams")).hasSize(3);
    assertThat(status.at("/upstreams/2/address").asText()).isEqualTo(all[0]);
    assertThat(status.at("/upstreams/2/removed").asBoolean()).isTrue();
    assertThat(status.at("/upstreams/2/in_use").asBoolean()).isFalse();
    assertThat(status.at("/upstreams/2/in_flight").asInt()).isEqualTo(1);
    assertThat(status.at("/upstreams/0/address").asText()).isEqualTo(all[1]);
    assertThat(status.at("/upstreams/0/in_flight").asInt()).isEqualTo(1);
    assertThat(status.at("/upstreams/1/address").asText()).isEqualTo(all[2]);
    RawClient client = running.client(proxy);
    for (int i = 0; i < 10; i++) {
      assertThat(client.get("/p").readAll().status()).isEqualTo(200);
    }
    assertThat(origins.get(0).stats().requestsUnder("/p")).isZero();
    assertThat(origins.get(2).stats().requestsUnder("/p")).isEqualTo(5);
    assertThat(onFirst.readAll().status()).isEqualTo(200);
    assertThat(onSecond.readAll().status()).isEqualTo(200);
    Running.await(
        "no connection to the one that went", () -> origins.get(0).stats().connectionsNow() == 0);
    assertThat(new Operator(running, proxy).status().at("/upstreams")).hasSize(2);
  }

  /** One that comes back while its last flight is under way is the same upstream. */
  @Test
  void dec36_upstreamThatIsBack_keepsItsState() {
    List<SlowOrigin> origins = origins(2);
    String[] all = addresses(origins);
    Sluice proxy = running.proxy(ProxyFile.plain(), all);
    RawClient client = running.client(proxy).get("/slow?ms=1500");
    Running.awaitRequests(origins.get(0), 1);

    Running.reload(proxy, ProxyFile.plain(), all[1]);
    Running.reload(proxy, ProxyFile.plain(), all);

    JsonNode status = new Operator(running, proxy).status();
    assertThat(status.at("/upstreams")).hasSize(2);
    assertThat(status.at("/upstreams/0/in_flight").asInt()).isEqualTo(1);
    assertThat(client.readAll().status()).isEqualTo(200);
    assertThat(client.get("/again").readAll().status()).isEqualTo(200);
  }

  @Test
  void dec36_healthSection_comesAndGoesWithAReload() {
    List<SlowOrigin> origins = origins(2);
    Sluice proxy = running.proxy(ProxyFile.plain(), addresses(origins));
    origins.get(0).override("status=500");

    Running.reload(proxy, ProxyFile.plain().origin(PROBES), addresses(origins));
    var operator = new Operator(running, proxy);
    Running.await("unhealthy", () -> !operator.status().at("/upstreams/0/healthy").asBoolean());

    Running.reload(proxy, ProxyFile.plain(), addresses(origins));
    Running.await("healed", () -> operator.status().at("/upstreams/0/healthy").asBoolean());
  }

  private static HeldOrigin deadProbes() {
    return running.closing(
        HeldOrigin.start(
            asked ->
                asked.target().equals("/probe")
                    ? "HTTP/1.1 500 Ill\r\nContent-Length: 0\r\n\r\n"
                    : HeldOrigin.ok("Cache-Control: private", "page")));
  }

  private static List<SlowOrigin> origins(int count) {
    List<SlowOrigin> origins = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      origins.add(running.slowOrigin());
    }
    return origins;
  }

  private static SlowOrigin origin(String host, int port) {
    return running.closing(SlowOrigin.start(new SlowOriginSettings(host, port, 1, 1, 0, "")));
  }

  private static String[] addresses(List<SlowOrigin> origins) {
    return origins.stream().map(origin -> "127.0.0.1:" + origin.port()).toArray(String[]::new);
  }

  private static int port(List<SlowOrigin> origins, int at) {
    return origins.get(at).port();
  }

  private static List<String> resolved(Sluice proxy) {
    return proxy.status().upstreams().get(0).addresses();
  }

  private List<InetAddress> resolve(String host) throws UnknownHostException {
    List<String> found = host.startsWith("127.") ? List.of(host) : zone.get(host);
    if (found == null) {
      throw new UnknownHostException(host);
    }
    List<InetAddress> addresses = new ArrayList<>();
    for (String address : found) {
      addresses.add(InetAddress.getByName(address));
    }
    return addresses;
  }
}
