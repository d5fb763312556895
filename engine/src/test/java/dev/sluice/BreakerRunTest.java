package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.governor.fetch.Names;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An upstream that fails real traffic (ORG-09 to ORG-16, OBS-08, OBS-09, DEC-45), by sockets. */
class BreakerRunTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String OPEN_LONG =
      "breaker: { enabled: true, min_requests: 6, window: 1m, open_for: 5m }";

  @RegisterExtension static final Running running = new Running();

  private final HeldOrigin good =
      running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "good")));
  private volatile String failure = HeldOrigin.answer("500 Oops", "", "oops");
  private final HeldOrigin bad = running.closing(HeldOrigin.start(asked -> failure));

  private Sluice proxy(String breaker) {
    return running.proxy(
        ProxyFile.plain().origin(breaker),
        Names.system(),
        "127.0.0.1:" + good.port(),
        "127.0.0.1:" + bad.port());
  }

  private static RawResponse get(Sluice proxy) {
    return running.client(proxy).get("/page").readAll();
  }

  private static JsonNode upstream(Sluice proxy, int number) {
    return new Operator(running, proxy).status().at("/upstreams/" + number);
  }

  /** ORG-09, ORG-10, ORG-11: it passes its probes all the while. */
  @Test
  void org11_upstreamThatAnswers500_isLeftOut_andHealthIsToldApart() {
    Sluice proxy = proxy(OPEN_LONG);
    for (int i = 0; i < 12; i++) {
      get(proxy);
    }
    assertThat(bad.requests()).isEqualTo(6);

    for (int i = 0; i < 20; i++) {
      assertThat(get(proxy).text()).isEqualTo("good");
    }

    assertThat(bad.requests()).isEqualTo(6);
    JsonNode told = upstream(proxy, 1);
    assertThat(told.get("ejected").asBoolean()).isTrue();
    assertThat(told.get("healthy").asBoolean()).isTrue();
    assertThat(told.at("/breaker/state").asText()).isEqualTo("open");
    assertThat(told.at("/breaker/trips").asInt()).isOne();
    assertThat(new Operator(running, proxy).metrics())
        .contains("sluice_upstream_ejected{upstream=\"127.0.0.1:" + bad.port() + "\"} 1.0")
        .contains("sluice_upstream_ejected{upstream=\"127.0.0.1:" + good.port() + "\"} 0.0")
        .contains(
            "sluice_upstream_breaker_trips_total{upstream=\"127.0.0.1:" + bad.port() + "\"} 1.0");
  }

  @Test
  void off_failuresGoOn() {
    Sluice proxy = proxy("breaker: { enabled: false }");
    for (int i = 0; i < 40; i++) {
      get(proxy);
    }

    assertThat(bad.requests()).isEqualTo(20);
  }

  /** ORG-15: after its time one attempt tries it, and nobody else goes there meanwhile. */
  @Test
  void org15_halfOpen_oneAttemptAtATime_andAGoodOneCloses() {
    Sluice proxy =
        proxy("breaker: { enabled: true, min_requests: 6, window: 1m, open_for: 300ms }");
    for (int i = 0; i < 12; i++) {
      get(proxy);
    }
    assertThat(bad.requests()).isEqualTo(6);
    failure = HeldOrigin.ok("", "well again");
    bad.hold();
    Running.await(
        "half-open", () -> upstream(proxy, 1).at("/breaker/state").asText().equals("half_open"));

    RawClient[] clients = new RawClient[6];
    int first = good.requests();
    for (int i = 0; i < clients.length; i++) {
      clients[i] = running.client(proxy).get("/page");
      Running.await(
          "it asked", () -> bad.requests() - 6 + good.requests() - first == asked(clients));
    }

    assertThat(bad.requests()).as("one tries it").isEqualTo(7);
    assertThat(upstream(proxy, 1).get("ejected").asBoolean()).isTrue();
    bad.release();
    for (RawClient client : clients) {
      assertThat(client.readAll().status()).isEqualTo(200);
    }
    assertThat(upstream(proxy, 1).at("/breaker/state").asText()).isEqualTo("closed");
    int before = bad.requests();
    for (int i = 0; i < 4; i++) {
      get(proxy);
    }
    assertThat(bad.requests()).isEqualTo(before + 2);
  }

  private static int asked(RawClient[] clients) {
    int asked = 0;
    for (RawClient client : clients) {
      asked += client == null ? 0 : 1;
    }
    return asked;
  }

  @Test
  void badTrial_opensItAgain() {
    Sluice proxy =
        proxy("breaker: { enabled: true, min_requests: 6, window: 1m, open_for: 200ms }");
    for (int i = 0; i < 12; i++) {
      get(proxy);
    }
    int[] tried = new int[1];
    Running.await(
        "three that tried it",
        () -> {
          get(proxy);
          tried[0] = bad.requests() - 6;
          return tried[0] >= 3;
        });

    assertThat(upstream(proxy, 1).at("/breaker/trips").asInt()).isOne();
  }

  /** ORG-16: beyond the share nobody is left out. */
  @Test
  void org16_allFail_allStillGetTraffic() {
    HeldOrigin worse =
        running.closing(HeldOrigin.start(asked -> HeldOrigin.answer("503 No", "", "no")));
    Sluice proxy =
        running.proxy(
            ProxyFile.plain().origin(OPEN_LONG),
            Names.system(),
            "127.0.0.1:" + worse.port(),
            "127.0.0.1:" + bad.port());
    for (int i = 0; i < 60; i++) {
      get(proxy);
    }

    assertThat(worse.requests()).isGreaterThan(20);
    assertThat(bad.requests()).isGreaterThan(20);
  }

  /** DEC-45: whoever leaves says nothing of the upstream. */
  @Test
  void dec45_clientsThatLeave_countAsNothing() {
    bad.hold();
    Sluice proxy =
        running.proxy(
            ProxyFile.plain().origin(OPEN_LONG).origin("on_client_abort: close"),
            Names.system(),
            "127.0.0.1:" + bad.port(),
            "127.0.0.1:" + good.port());
    for (int i = 1; i <= 10; i++) {
      RawClient client = running.client(proxy).get("/page");
      get(proxy);
      bad.awaitRequests(i);
      client.reset();
    }
    Running.await("all of them left", () -> upstream(proxy, 0).get("in_flight").asInt() == 0);

    assertThat(upstream(proxy, 0).at("/breaker/attempts").asInt()).isZero();
    assertThat(upstream(proxy, 0).get("ejected").asBoolean()).isFalse();
  }

  /** DEC-45: what one client can make fail is that client's. */
  @Test
  void dec45_garbageFromOneClient_ejectsNobody() {
    HeldOrigin one = running.closing(HeldOrigin.start(BreakerRunTest::garbageFails));
    HeldOrigin other = running.closing(HeldOrigin.start(BreakerRunTest::garbageFails));
    Sluice proxy =
        running.proxy(
            ProxyFile.plain().origin(OPEN_LONG),
            Names.system(),
            "127.0.0.1:" + one.port(),
            "127.0.0.1:" + other.port());
    for (int network = 1; network <= 5; network++) {
      from(network, proxy, "/page");
      from(network, proxy, "/page");
    }

    for (int i = 0; i < 60; i++) {
      assertThat(from(9, proxy, "/garbage").status()).isEqualTo(500);
    }

    for (int upstream = 0; upstream < 2; upstream++) {
      assertThat(upstream(proxy, upstream).get("ejected").asBoolean()).isFalse();
      assertThat(upstream(proxy, upstream).at("/breaker/failures").asInt()).isEqualTo(3);
    }
  }

  private static String garbageFails(HeldOrigin.Asked asked) {
    return asked.target().equals("/garbage")
        ? HeldOrigin.answer("500 Oops", "", "oops")
        : HeldOrigin.ok("", "good");
  }

  private static RawResponse from(int network, Sluice proxy, String target) {
    String address = "127.0." + network + ".1";
    RawClient client = RawClient.connectFrom(address, proxy.port(), PATIENCE);
    return running.closing(client).get(target).readAll();
  }

  @Test
  void reload_thatTurnsItOff_takesTheUpstreamBack() {
    Sluice proxy = proxy(OPEN_LONG);
    for (int i = 0; i < 12; i++) {
      get(proxy);
    }
    assertThat(upstream(proxy, 1).get("ejected").asBoolean()).isTrue();

    Running.reload(proxy, ProxyFile.plain(), "127.0.0.1:" + good.port(), "127.0.0.1:" + bad.port());

    assertThat(upstream(proxy, 1).get("ejected").asBoolean()).isFalse();
    for (int i = 0; i < 4; i++) {
      get(proxy);
    }
    assertThat(bad.requests()).isEqualTo(8);
  }
}
