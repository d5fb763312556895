package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admin.AdminSettings;
import dev.sluice.config.SettingsProblem.Severity;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.governor.fetch.FetchSettings.Upstream;
import dev.sluice.net.DrainSettings;
import dev.sluice.net.NetSettings;
import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.NetSettings.Balance;
import dev.sluice.net.NetSettings.TransportChoice;
import dev.sluice.observe.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

  @Test
  void leastFile_hasEveryDefault() {
    Settings settings = Reading.accepted(Reading.LEAST).settings();

    assertThat(settings.net())
        .isEqualTo(
            new NetSettings(
                new Address("0.0.0.0", 8080),
                null,
                false,
                2,
                Balance.LEAST,
                TransportChoice.AUTO,
                9744));
    assertThat(settings.drain())
        .isEqualTo(new DrainSettings(Duration.ofSeconds(10), Duration.ofSeconds(5), ""));
    assertThat(settings.wire().maxHeader()).isEqualTo(32 << 10);
    assertThat(settings.wire().maxTarget()).isEqualTo(8 << 10);
    assertThat(settings.wire().readAhead()).isEqualTo(64 << 10);
    assertThat(settings.wire().requestMemory()).isEqualTo(64L << 20);
    assertThat(settings.wire().originIdle()).isEqualTo(Duration.ofSeconds(4));
    assertThat(settings.wire().downstreamMinRate()).isEqualTo(1024);
    assertThat(settings.classify().framework()).isEqualTo(Framework.NEXTJS);
    assertThat(settings.classify().routes()).containsExactly(Route.IMPLICIT);
    assertThat(settings.admit().max()).isEqualTo(64);
    assertThat(settings.admit().queueMax()).isEqualTo(128);
    assertThat(settings.admit().staticMax()).isEqualTo(256);
    assertThat(settings.admit().streamingMax()).isEqualTo(256);
    assertThat(settings.admit().queueTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.admit().priorities()).isEmpty();
    assertThat(settings.fetch().upstreams()).containsExactly(new Upstream("127.0.0.1", 3000));
    assertThat(settings.fetch().via()).isEqualTo("sluice-0badcafe");
    assertThat(settings.fetch().abandonHold()).isNull();
    assertThat(settings.fetch().maxIdle()).isEqualTo(64);
    assertThat(settings.fetch().discardMax()).isEqualTo(4L << 20);
    assertThat(settings.deliver().status()).isEqualTo(503);
    assertThat(settings.deliver().busyPageFile()).isNull();
    assertThat(settings.admin()).isEqualTo(new AdminSettings(null, null));
    assertThat(settings.log()).isEqualTo(new LogSettings("info", "stdout"));
  }

  @Test
  void writtenValues_areInForce() {
    Settings settings =
        Reading.accepted(
                """
                version: 1
                server:
                  listen: "[::1]:0"
                  balance: reuseport
                  transport: nio
                  via: none
                  half_close: serve
                  hosts: [WWW.example.com, "*.example.org"]
                timeouts: { client_body_min_rate: 0, origin_response: 1500ms }
                origin:
                  upstreams: ["a:1", "[::1]:2"]
                  on_client_abort: close
                  abandon_hold: 0
                  concurrency: { max: 10, queue: { max: 7, timeout: 1m, predict: false } }
                  priorities: { low: 30 }
                framework: none
                routes:
                  - id: img
                    match: /_next/image
                    class: public_dynamic
                    priority: low
                    weight: 3
                    concurrency: { max: 8, queue: { max: 9, timeout: 1h } }
                  - { id: default, match: "/**", on_client_abort: finish }
                telemetry: { admin: { listen: "127.0.0.1:9091" }, logging: { access: none } }
                """)
            .settings();

    assertThat(settings.net().listen()).isEqualTo(new Address("::1", 0));
    assertThat(settings.net().balance()).isEqualTo(Balance.REUSEPORT);
    assertThat(settings.net().transport()).isEqualTo(TransportChoice.NIO);
    assertThat(settings.wire().halfCloseServes()).isTrue();
    assertThat(settings.wire().clientBodyMinRate()).isZero();
    assertThat(settings.wire().originResponse()).isEqualTo(Duration.ofMillis(1500));
    assertThat(settings.classify().hosts()).containsExactly("www.example.com", "*.example.org");
    assertThat(settings.classify().routes())
        .containsExactly(
            new Route(
                "img",
                "/_next/image",
                RouteClass.PUBLIC_DYNAMIC,
                Priority.LOW,
                3,
                OnClientAbort.CLOSE,
                new RouteLimits(8, 9, Duration.ofHours(1)),
                new SharePolicy(
                    true, false, CachePolicy.OFF, CookiePolicy.PRIVATE, KeyPolicy.WHOLE_TARGET),
                false),
            Route.IMPLICIT);
    assertThat(settings.admit().priorities()).isEqualTo(Map.of(Priority.LOW, 30));
    assertThat(settings.admit().queueMax()).isEqualTo(7);
    assertThat(settings.admit().predict()).isFalse();
    assertThat(settings.fetch().upstreams())
        .containsExactly(new Upstream("a", 1), new Upstream("::1", 2));
    assertThat(settings.fetch().via()).isNull();
    assertThat(settings.fetch().abandonHold()).isEqualTo(Duration.ZERO);
    assertThat(settings.fetch().maxIdle()).isEqualTo(10);
    assertThat(settings.admin().admin()).isEqualTo(new Address("127.0.0.1", 9091));
  }

  @Test
  void file_withSeveralFaults_isToldAllOfThem() {
    assertThat(
            Reading.lines(
                Reading.errors(
                    """
                    server:
                      lisen: "a:1"
                    timeouts:
                      origin_read: 5
                    origin:
                      concurrency: { max: many }
                    routes:
                      - { id: a, match: b, cache: { ttl: 5 } }
                    cach: 1
                    """)))
        .containsExactly(
            "sluice.yaml:1:1: error: version: the key is missing (expected: 1); write version: 1",
            "sluice.yaml:2:3: error: server.lisen: unknown key lisen (expected: listen,"
                + " event_loops, balance, transport, h2c, tls, trusted_proxies, proxy_protocol,"
                + " hosts, via, half_close, read_ahead, request_memory, max_connections,"
                + " max_header, max_target, debug_headers, graceful); did you mean listen?",
            "sluice.yaml:4:16: error: timeouts.origin_read: 5 has no unit (expected: a duration"
                + " such as 5s (ms, s, m, h)); write the unit, as in 5s",
            "sluice.yaml:6:3: error: origin.upstreams: the key is missing (expected: list of"
                + " host:port); write the application's address, as upstreams:"
                + " [\"127.0.0.1:3000\"]",
            "sluice.yaml:6:23: error: origin.concurrency.max: many is not a whole number (expected:"
                + " a whole number from 1 to 1000000)",
            "sluice.yaml:8:21: error: routes[0].match: b does not begin with a slash (expected: a"
                + " path as /search, or a prefix as /products/**)",
            "sluice.yaml:8:38: error: routes[0].cache.ttl: a single value is here (expected: a map"
                + " with the keys max); write the keys beneath it, indented",
            "sluice.yaml:9:1: error: cach: unknown key cach (expected: version, server, timeouts,"
                + " origin, overload, cache, coalesce, spool, upgrade, deployment, framework,"
                + " routes, telemetry); did you mean cache?");
  }

  @Test
  void key_inTheWrongSection_isToldWhereItBelongs() {
    assertThat(Reading.errors(Reading.LEAST + "cache: { override_origin: true }"))
        .extracting(SettingsProblem::suggestion)
        .containsExactly("the key is known as routes[].cache.override_origin");
  }

  @Test
  void unbuiltAndUnsafe_areBothTold() {
    String text =
        "version: 1\norigin: { upstreams: [\"a:1\"], http_version: auto }\n"
            + "telemetry: { tracing: { otlp: { endpoint: x } } }";

    assertThat(Reading.errors(text))
        .extracting(SettingsProblem::message)
        .hasSize(2)
        .anySatisfy(message -> assertThat(message).contains("not in this build yet (tracing)"))
        .anySatisfy(message -> assertThat(message).contains("auto needs origin.tls"));
  }

  @Test
  void environment_fillsValues_andIsNeverPrinted() {
    String text =
        """
        version: 1
        origin:
          upstreams: ["${HOST}:3000"]
          concurrency: { max: "${MAX}" }
        """;
    Accepted accepted = Reading.accepted(text, Map.of("HOST", "secret-host", "MAX", "7"));

    assertThat(accepted.settings().fetch().upstreams())
        .containsExactly(new Upstream("secret-host", 3000));
    assertThat(accepted.settings().admit().max()).isEqualTo(7);
    assertThat(accepted.effective().lines())
        .noneMatch(line -> line.contains("secret-host"))
        .anyMatch(
            line -> line.contains("${HOST}:3000") && line.endsWith("environment, sluice.yaml:3"));
  }

  @Test
  void environment_withAWrongValue_isRefusedWithoutIt() {
    String text = "version: 1\norigin: { upstreams: [\"${HOST}\"] }";

    assertThat(Reading.lines(Reading.errors(text, Map.of("HOST", "hush"))))
        .containsExactly(
            "sluice.yaml:2:23: error: origin.upstreams[0]: ${HOST} has no port (expected: host:port,"
                + " as 127.0.0.1:8080 or [::1]:8080)");
  }

  @Test
  void purgeToken_isNeverPrinted() {
    String listener = "telemetry: { admin: { listen: \"a:1\" } }\n";
    String good = "cache: { purge: { token: hushhushhushhushhushhush } }";
    String bad = "cache: { purge: { token: hushhushhush } }";
    Accepted accepted = Reading.accepted(Reading.LEAST + listener + good);

    assertThat(accepted.settings().reuse().cache().purgeToken())
        .isEqualTo("hushhushhushhushhushhush");
    assertThat(accepted.effective().lines())
        .noneMatch(line -> line.contains("hush"))
        .anyMatch(line -> line.startsWith("cache.purge.token: (hidden)"));
    assertThat(Reading.lines(Reading.errors(Reading.LEAST + listener + bad)))
        .singleElement()
        .asString()
        .contains("12 characters")
        .doesNotContain("hush");
  }

  @Test
  void warnings_doNotRefuse() {
    Accepted accepted =
        Reading.accepted(
            """
            version: 1
            server: { graceful: { drain_period: 20s, shutdown_timeout: 20s } }
            origin: { upstreams: ["a:1"], concurrency: { queue: { timeout: 0 } } }
            routes:
              - { id: all, match: "/a/**", class: public_ssr }
              - { id: one, match: "/a/b" }
              - { id: near, match: "/ab" }
            """);

    assertThat(Reading.lines(accepted.warnings()))
        .containsExactly(
            "sluice.yaml:2:11: warning: server.graceful: drain_period 20s + shutdown_timeout 20s ="
                + " 40s, longer than Kubernetes waits by default (30s); raise"
                + " terminationGracePeriodSeconds above the sum, or shorten one",
            "sluice.yaml:3:55: warning: origin.concurrency.queue.timeout: 0: nobody waits, whoever"
                + " finds no permit is shed at once; a short burst needs a second or two",
            "sluice.yaml:5:32: warning: routes[0].class: public_ssr may be shared, and server.hosts"
                + " is empty: any Host is served; list the names that are served in server.hosts",
            "sluice.yaml:6:16: warning: routes[1].match: /a/b is never reached: routes[0].match"
                + " /a/** takes all of it; move the narrower route before it");
    assertThat(accepted.warnings()).allMatch(p -> p.severity() == Severity.WARNING);
  }

  @Test
  void leastFile_hasNoWarnings_andTheSums() {
    Accepted accepted = Reading.accepted(Reading.LEAST);

    assertThat(accepted.warnings()).isEmpty();
    assertThat(accepted.notes())
        .containsExactly(
            "total stop time: drain_period 10s + shutdown_timeout 5s = 15s",
            "descriptors: server.max_connections 9744; the limit 20000 gives (20000 - 512) / 2, at"
                + " least 64 = 9744 client connections; 64 stay reserved for admin and origin"
                + " connects",
            "memory: server.request_memory 64MiB, cache.max_memory 0B, spool.max_memory"
                + " 256MiB; room for kept bytes: 0.9 x 1024MiB direct - 32MiB"
                + " - 4MiB x 2 loops = 881MiB; process: 1024MiB direct + 256MiB heap + 128MiB ="
                + " 1408MiB, of 2048MiB");
  }

  @Test
  void file_thatCannotBeRead_isRefused(@TempDir Path directory) throws IOException {
    SettingsReader reader = new SettingsReader(Map.of(), Reading.MACHINE, Strictness.RUN);
    Path missing = directory.resolve("none.yaml");
    Path binary = Files.write(directory.resolve("bytes.yaml"), new byte[] {(byte) 0xff});
    Path large = Files.write(directory.resolve("large.yaml"), new byte[(1 << 20) + 1]);
    Path good = Files.writeString(directory.resolve("good.yaml"), Reading.LEAST);

    assertThat(reader.read(missing).toString()).contains("there is no such file");
    assertThat(reader.read(binary).toString()).contains("not UTF-8");
    assertThat(reader.read(large).toString()).contains("1048577 bytes");
    assertThat(reader.read(good)).isInstanceOf(Accepted.class);
  }

  /** ADM-11: what would stop `run` is said by `check`, and where. */
  @Test
  void busyPage_thatIsNotUtf8_isRefused(@TempDir Path directory) throws IOException {
    Path page =
        Files.write(directory.resolve("busy.html"), new byte[] {'<', 'p', '>', (byte) 0xe4});
    String text = Reading.LEAST + "overload: { busy_page: { file: \"" + page + "\" } }";

    assertThat(Reading.lines(Reading.errors(text)))
        .containsExactly(
            "sluice.yaml:3:26: error: overload.busy_page.file: "
                + page
                + " is not UTF-8; save it as UTF-8");
    Files.writeString(page, "<p>später");
    assertThat(Reading.accepted(text).settings().deliver().busyPageFile())
        .isEqualTo(page.toString());
  }

  /** RTE-05: any letter may stand in a path, and a dot is no dot segment. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/stra\u00dfe/**", "/a/", "/a.b/..c/**", "/a:b@c,d=e", "/\ud83c\udf0a", "/"})
  void match_thatCanMatch_isTaken(String match) {
    String text = Reading.LEAST + "routes: [ { id: a, match: \"" + match + "\" } ]";

    assertThat(Reading.accepted(text).settings().classify().routes().get(0).match())
        .isEqualTo(match);
  }

  @ParameterizedTest
  @ValueSource(strings = {"./off", "/var/log/access", "access.log", "none", "stdout"})
  void accessLog_thatIsAFileOrAWord_isTaken(String target) {
    String text = Reading.LEAST + "telemetry: { logging: { access: " + target + " } }";

    assertThat(Reading.accepted(text).settings().log().access()).isEqualTo(target);
  }

  @Test
  void fingerprint_isOfTheValues_notOfSpellingOrMachine() {
    Machine other = new Machine(8, 1 << 30, 1L << 32, 1L << 33, 1024, "12345678");
    SettingsReader elsewhere = new SettingsReader(Map.of(), other, Strictness.CHECK);
    String spelled = "# the same\n" + Reading.LEAST + "timeouts: { origin_idle: 4000ms }\n";
    String fingerprint = Reading.accepted(Reading.LEAST).settings().fingerprint();

    assertThat(fingerprint).matches("[0-9a-f]{16}");
    assertThat(Reading.accepted(spelled).settings().fingerprint()).isEqualTo(fingerprint);
    assertThat(elsewhere.read("other.yaml", Reading.LEAST))
        .isInstanceOfSatisfying(
            Accepted.class,
            accepted -> assertThat(accepted.settings().fingerprint()).isEqualTo(fingerprint));
    assertThat(Reading.accepted(Reading.LEAST + "framework: none").settings().fingerprint())
        .isNotEqualTo(fingerprint);
  }

  @Test
  void shareOfNoUnit_isTheShareAloneAtFault() {
    String text = "version: 1\norigin: { upstreams: [\"a:1\"], priorities: { normal: 1 } }\n";

    assertThat(Reading.errors(text))
        .singleElement()
        .satisfies(error -> assertThat(error.keyPath()).isEqualTo("origin.priorities.normal"));
  }

  @Test
  void tierWithNothingLeft_isOnceToldOf_unlessNoneOfItsRoutesRenders() {
    String all = "version: 1\norigin: { upstreams: [\"a:1\"], reservations: { high: 100 } }\n";
    String routes = "routes: [ { id: a, match: /a, class: %s }, { id: b, match: \"/**\" %s } ]";

    assertThat(Reading.errors(all + routes.formatted("public_dynamic", "")))
        .singleElement()
        .satisfies(error -> assertThat(error.message()).contains("no flight of route a could"));
    assertThat(Reading.errors(all + routes.formatted("streaming", ", priority: high"))).isEmpty();
    assertThat(Reading.lines(Reading.errors(all)))
        .singleElement(InstanceOfAssertFactories.STRING)
        .endsWith(
            "route default could ever start; lower a reservation or write a route for /** whose tier has one");
  }

  @Test
  void fingerprint_ofOneItemWithAComma_isNotThatOfTwo() {
    assertThat(fingerprintOf("[\"a, b\"]")).isNotEqualTo(fingerprintOf("[a, b]"));
  }

  private static String fingerprintOf(String command) {
    String origin = "origin: { upstreams: [\"127.0.0.1:3000\"], command: " + command + " }";
    return Reading.accepted("version: 1\n" + origin).settings().fingerprint();
  }

  @Test
  void catchAll_inTheFile_isNotAddedTwice() {
    String text = Reading.LEAST + "routes: [ { id: rest, match: \"/**\" } ]";

    assertThat(Reading.accepted(text).settings().classify().routes())
        .extracting(Route::id)
        .isEqualTo(List.of("rest"));
  }

  @Test
  void implicitCatchAll_followsTheOriginsAbortRule() {
    String text = "version: 1\norigin: { upstreams: [\"a:1\"], on_client_abort: close }";

    assertThat(Reading.accepted(text).settings().classify().routes())
        .extracting(Route::onClientAbort)
        .isEqualTo(List.of(OnClientAbort.CLOSE));
  }
}
