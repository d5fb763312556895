package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.TestCertificate;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is warned of because it has no effect, or less than it seems to, beside another key. */
class InertRulesTest {

  private static final String ONE = "upstreams: [\"a:1\"]";
  private static final String TWO = "upstreams: [\"a:1\", \"b:1\"]";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"hash_by_path", "least_loaded"})
  void org03_balancingOfOne_isWarnedOf(String balancing) {
    assertThat(warnings("origin: { " + ONE + ", load_balancing: " + balancing + " }"))
        .containsExactly(
            "sluice.yaml:2:31: warning: origin.load_balancing: "
                + balancing
                + " chooses among upstreams, and there is one; name each of the application's"
                + " instances in origin.upstreams");
    assertThat(warnings("origin: { " + TWO + ", load_balancing: " + balancing + " }")).isEmpty();
    assertThat(warnings("origin: { " + ONE + ", load_balancing: round_robin }")).isEmpty();
  }

  @Test
  void bey23_ceilingThatOneMayFillAlone_isWarnedOf() {
    assertThat(warnings("origin: { " + TWO + ", concurrency: { max: 16, per_upstream: 16 } }"))
        .singleElement()
        .asString()
        .contains("origin.concurrency.per_upstream: 16 is not below origin.concurrency.max 16");
    assertThat(warnings("origin: { " + TWO + ", concurrency: { max: 16, per_upstream: 15 } }"))
        .isEmpty();
    assertThat(warnings("origin: { " + ONE + ", concurrency: { max: 16, per_upstream: 16 } }"))
        .isEmpty();
  }

  @Test
  void dec41_upgradesBesideHttp2_areWarnedOf() {
    String on = "\nupgrade: { enabled: true }";

    assertThat(warnings("origin: { " + ONE + ", http_version: http2 }" + on))
        .containsExactly(
            "sluice.yaml:3:12: warning: upgrade.enabled: true beside origin.http_version http2: a"
                + " WebSocket is asked for over HTTP/1.1, and an origin that does not take it"
                + " refuses each of them; see that the origin takes HTTP/1.1, too");
    assertThat(warnings("origin: { " + ONE + ", http_version: http2 }")).isEmpty();
    assertThat(warnings("origin: { " + ONE + " }" + on)).isEmpty();
    String auto = "origin: { " + ONE + ", http_version: auto, tls: { sni: a.test } }";
    assertThat(warnings(auto + on)).isEmpty();
  }

  @Test
  void prx16_moreSocketsThanConnections_areWarnedOf() {
    String origin = "origin: { " + ONE + " }\nserver: { max_connections: 500 }\n";

    assertThat(warnings(origin + "upgrade: { enabled: true, max_concurrent: 501 }"))
        .singleElement()
        .asString()
        .contains("upgrade.max_concurrent: 501 is above server.max_connections 500");
    assertThat(warnings(origin + "upgrade: { enabled: true, max_concurrent: 500 }")).isEmpty();
    assertThat(warnings(origin + "upgrade: { enabled: false, max_concurrent: 501 }")).isEmpty();
  }

  @Test
  void t03_proxyProtocolBesideTls_isWarnedOf() {
    TestCertificate.of("localhost").writeTo(folder);
    String tls =
        ", tls: { listen: \"127.0.0.1:8443\", cert: \"%s\", key: \"%s\" }"
            .formatted(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    String server =
        "origin: { "
            + ONE
            + " }\nserver: { proxy_protocol: %s, trusted_proxies: { from: [10.0.0.0/8]"
            + " }%s }";

    assertThat(warnings(server.formatted("true", tls)))
        .singleElement()
        .asString()
        .contains("server.proxy_protocol: true concerns server.listen alone");
    assertThat(warnings(server.formatted("true", ""))).isEmpty();
    assertThat(warnings(server.formatted("false", tls))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"static", "streaming"})
  void dec33_weightWithoutRenders_isWarnedOf(String of) {
    String route =
        "origin: { " + ONE + " }\nroutes: [ { id: x, match: /x, class: %s, weight: %s } ]";

    assertThat(warnings(route.formatted(of, 3)))
        .anySatisfy(
            warning ->
                assertThat(warning)
                    .contains("routes[0].weight: 3 has no effect on what class " + of));
    assertThat(warnings(route.formatted(of, 1))).noneMatch(w -> w.contains("weight"));
    assertThat(warnings(route.formatted("public_ssr", 3))).noneMatch(w -> w.contains("weight"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"max: 3", "timeout: 1s"})
  void dec33_queueOfAStream_isWarnedOf(String queue) {
    String route =
        "origin: { "
            + ONE
            + " }\nroutes: [ { id: x, match: /x, class: %s, concurrency: { max: 4, %s } } ]";

    assertThat(warnings(route.formatted("streaming", "queue: { " + queue + " }")))
        .singleElement()
        .asString()
        .contains("routes[0].concurrency.queue: has no effect beside class streaming");
    assertThat(warnings(route.formatted("private_dynamic", "queue: { " + queue + " }"))).isEmpty();
  }

  private static List<String> warnings(String keys) {
    return Reading.lines(Reading.accepted("version: 1\n" + keys + "\n").warnings());
  }
}
