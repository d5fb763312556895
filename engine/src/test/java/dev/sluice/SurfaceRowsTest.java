package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.launch.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of the proxy's surface that stand for themselves: PRX-01, PRX-02, PRX-19, PRX-34, PRX-35.
 */
class SurfaceRowsTest {

  private static final String[] TOLD = {"X-Sluice", "Cache-Status", "Proxy-Status"};

  /** What origins believe of a request's way here, beside the four fields that have a rule each. */
  private static final String[] OF_ITS_WAY = {
    "X-Forwarded-Prefix",
    "X-Forwarded-Port",
    "X-Forwarded-Ssl",
    "X-Forwarded-User",
    "X-Forwarded-Scheme",
    "X-Original-Forwarded-For",
    "x-real-ip"
  };

  @RegisterExtension static final Running running = new Running();

  /** Keep-alive, in either framing, and one request behind the other. */
  @Test
  void prx01prx02_http11_isServedOnOneConnection() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());

    assertThat(client.get("/a?bytes=7").readAll().body()).hasSize(7);
    assertThat(client.get("/b?bytes=5000&framing=chunked&chunks=3").readAll().body()).hasSize(5000);
    assertThat(
            client
                .send(
                    "POST /c?upload=1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n0\r\n\r\n")
                .readAll()
                .status())
        .isEqualTo(200);
    assertThat(origin.stats().requests()).isEqualTo(3);
  }

  /** On a miss, a hit, a refusal and an error; only where it is asked for. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void prx34_whatIsToldOfReuse_isToldOnDemand(boolean on) {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(asked -> HeldOrigin.ok("Cache-Control: max-age=60", "page")));
    ProxyFile file =
        ProxyFile.plain()
            .server("debug_headers: " + on)
            .block("cache: { enabled: true }")
            .block("routes: [ { id: all, match: \"/**\", class: public_ssr } ]");
    Sluice proxy = running.proxy(origin.port(), file);
    Sluice before = running.proxy(FreePorts.next(), file);

    RawResponse miss = running.client(proxy).get("/p").readAll();
    RawResponse hit = running.client(proxy).get("/p").readAll();
    RawResponse error = running.client(before).get("/p").readAll();

    assertThat(error.status()).isEqualTo(502);
    assertThat(origin.requests()).isOne();
    if (on) {
      assertThat(miss.header("X-Sluice")).isEqualTo("MISS");
      assertThat(hit.header("X-Sluice")).isEqualTo("HIT");
      assertThat(error.header("Proxy-Status")).contains("connection_refused");
    } else {
      for (String name : TOLD) {
        assertThat(miss.header(name)).as(name).isEmpty();
        assertThat(hit.header(name)).as(name).isEmpty();
        assertThat(error.header(name)).as(name).isEmpty();
      }
    }
  }

  /** Who is not trusted says nothing of the kind (C14); what is nobody's word for it goes on. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void prx19_whatSaysWhereItCameFrom_isOnlyTheTrustedOnesToSay(boolean trusted) {
    SlowOrigin origin = running.slowOrigin();
    ProxyFile file = Http2Wire.h2c();
    Sluice proxy =
        running.proxy(
            origin.port(), trusted ? file.server("trusted_proxies: { from: [127.0.0.1] }") : file);
    var lines = new StringBuilder("X-Mine: 1\r\n");
    var fields = new ArrayList<>(List.of("x-mine", "1"));
    for (String name : OF_ITS_WAY) {
      lines.append(name).append(": 7\r\n");
      fields.addAll(List.of(name.toLowerCase(Locale.ROOT), "7"));
    }

    String overHttp1 =
        running
            .client(proxy)
            .send("GET /x?echo=1 HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n")
            .readAll()
            .text();
    String overHttp2 =
        Http2Wire.connect(running, proxy)
            .get(1, "/x?echo=1", fields.toArray(String[]::new))
            .answer(1)
            .text();

    for (String seen : List.of(overHttp1, overHttp2)) {
      assertThat(seen).containsIgnoringCase("[\"X-Mine\",\"1\"]");
      for (String name : OF_ITS_WAY) {
        assertThat(seen.toLowerCase(Locale.ROOT).contains("\"" + name.toLowerCase(Locale.ROOT)))
            .as(name)
            .isEqualTo(trusted);
      }
    }
  }

  /** Behind another proxy, believed or not, and without one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void prx35_behindAnEdge_theClientIsWhoTheEdgeSays_ifItIsBelieved(boolean believed) {
    SlowOrigin origin = running.slowOrigin();
    ProxyFile inner =
        believed
            ? ProxyFile.plain()
                .server(
                    "trusted_proxies: { from: [127.0.0.1], client_ip: x_forwarded, scheme:"
                        + " x_forwarded }")
            : ProxyFile.plain();
    Sluice behind = running.proxy(origin.port(), inner);
    Sluice edge = running.proxy(behind.port(), ProxyFile.plain());
    RawClient client =
        running.closing(RawClient.connectFrom("127.0.0.9", edge.port(), Duration.ofSeconds(10)));
    RawClient direct =
        running.closing(RawClient.connectFrom("127.0.0.9", behind.port(), Duration.ofSeconds(10)));

    assertThat(client.get("/x?echo=1").readAll().text())
        .contains("[\"X-Forwarded-For\",\"" + (believed ? "127.0.0.9" : "127.0.0.1") + "\"]");
    assertThat(direct.get("/x?echo=1").readAll().text())
        .contains("[\"X-Forwarded-For\",\"127.0.0.9\"]");
  }
}
