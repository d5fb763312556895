package dev.sluice;

import static dev.sluice.WebSockets.ECHO;
import static dev.sluice.WebSockets.HI;
import static dev.sluice.WebSockets.SHAKE;
import static dev.sluice.WebSockets.inFlight;
import static dev.sluice.WebSockets.open;
import static dev.sluice.WebSockets.upgrades;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.net.NetSettings.TransportChoice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How many WebSockets there may be, and what they take from nobody (PRX-16 to PRX-18, DEC-10). */
@ParameterizedClass
@EnumSource(
    value = TransportChoice.class,
    names = {"AUTO", "NIO"})
class WebSocketCeilingTest {

  @RegisterExtension static final Running running = new Running();

  private final ProxyFile off;
  private final ProxyFile on;

  WebSocketCeilingTest(TransportChoice transport) {
    off = ProxyFile.plain().transport(transport);
    on = upgrades(off, 100);
  }

  /** PRX-16, DEC-10. */
  @Test
  void prx16_overItsCeiling_is503WithRetryAfter() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), upgrades(off, 2));
    List<RawClient> open = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      open.add(running.client(proxy).send(SHAKE));
      assertThat(open.get(i).readHead()).startsWith("HTTP/1.1 101");
    }
    RawResponse refused = running.client(proxy).send(SHAKE).readAll();
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isNotNull();
    // The client may have its 101 before the origin has counted the socket.
    Running.await("2 sockets", () -> origin.stats().socketsTotal() == 2);

    open.get(0).close();
    Running.await("room", () -> open(proxy) == 1);
    assertThat(running.client(proxy).send(SHAKE).readHead()).startsWith("HTTP/1.1 101");
  }

  /** PRX-16: sockets are counted, and not what the route's renders weigh. */
  @Test
  void prx16_weightOfTheRoute_countsForNothing() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            upgrades(off, 3).block("routes: [ { id: all, match: \"/**\", weight: 4 } ]"));

    for (int i = 0; i < 3; i++) {
      assertThat(running.client(proxy).send(SHAKE).readHead()).startsWith("HTTP/1.1 101");
    }

    assertThat(running.client(proxy).send(SHAKE).readAll().status()).isEqualTo(503);
    assertThat(open(proxy)).isEqualTo(3);
  }

  /** PRX-17: neither a permit nor, once it is a tunnel, a place of the pool's connections. */
  @Test
  void prx17_socketsAtTheirCeiling_pagesAreServed() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            upgrades(off.origin("concurrency: { max: 1 }").origin("max_connections: 1"), 3));
    for (int i = 0; i < 3; i++) {
      assertThat(running.client(proxy).send(SHAKE).readHead()).startsWith("HTTP/1.1 101");
    }
    assertThat(running.client(proxy).get("/page?bytes=10").readAll().status()).isEqualTo(200);
    assertThat(Running.granted(proxy, "render")).isEqualTo(1);
    // The client may have its page before the permit is back.
    Running.await("no page in flight", () -> inFlight(proxy, "render") == 0);
    String metrics = new Operator(running, proxy).metrics();
    assertThat(metrics)
        .contains("sluice_upgrades_open 3.0")
        .contains("sluice_upgrades_limit 3.0")
        .contains("sluice_origin_in_flight{permit=\"render\"} 0.0");
  }

  /** PRX-18: an override of everything else is none of this. */
  @Test
  void prx18_onAPublicOverrideRoute_isNeitherCachedNorShared() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            on.block("cache: { enabled: true }")
                .block(
                    "routes: [{ id: all, match: /**, class: public_ssr, cache: { override_origin:"
                        + " true, ttl: { max: 60s } } }]"));
    for (int i = 0; i < 2; i++) {
      RawClient client = running.client(proxy).send(SHAKE).send(HI);
      assertThat(client.readHead()).startsWith("HTTP/1.1 101");
      assertThat(client.readBody(ECHO.length)).isEqualTo(ECHO);
    }
    Running.await("2 sockets", () -> origin.stats().socketsTotal() == 2);
    assertThat(proxy.status().cache().entries()).isZero();
    assertThat(proxy.status().work().boardable()).isZero();
  }
}
