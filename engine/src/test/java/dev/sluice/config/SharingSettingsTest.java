package dev.sluice.config;

import static dev.sluice.config.Reading.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import dev.sluice.flow.SpoolSettings;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import dev.sluice.governor.reuse.ReuseSettings;
import dev.sluice.governor.reuse.cache.CacheSettings;
import dev.sluice.governor.reuse.coalesce.CoalesceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cache, coalescing, spool and keys come to. */
class SharingSettingsTest {

  private static Route route(String global, String route) {
    return Reading.accepted(
            Reading.LEAST + global + "\nroutes: [ { id: a, match: /a, " + route + " } ]")
        .settings()
        .classify()
        .routes()
        .get(0);
  }

  @Test
  void leastFile_hasEveryDefault() {
    Settings settings = Reading.accepted(Reading.LEAST).settings();

    assertThat(settings.reuse())
        .isEqualTo(
            new ReuseSettings(
                new CacheSettings(0, 4 * MIB, 16, "x-sluice-cache-tags", false, false, ""),
                new CoalesceSettings(
                    4 * MIB, 10_000, Duration.ofSeconds(2), Duration.ofSeconds(10), null),
                List.of("gzip"),
                ""));
    assertThat(settings.spool()).isEqualTo(new SpoolSettings(2 * MIB, 256 * MIB));
    assertThat(settings.classify().routes().get(0).share()).isEqualTo(SharePolicy.NONE);
  }

  @Test
  void writtenValues_areInForce() {
    Settings settings =
        Reading.accepted(
                Reading.LEAST
                    + """
                    timeouts: { coalesce_wait: 40s }
                    cache:
                      enabled: true
                      max_memory: 512MiB
                      max_body_size: 1MiB
                      max_variants: 3
                      encodings: [br, gzip]
                      tag_header: X-Tags
                      expose_tags: true
                      honor_client_no_cache: true
                      purge: { token: "${TOKEN}" }
                    coalesce: { max_body: 1MiB, max_waiters: 7, laggard_grace: 1s, remember: 0 }
                    spool: { enabled: true, max_body: 1MiB, max_memory: 20MiB }
                    deployment: { id: "v7" }
                    telemetry: { admin: { listen: "127.0.0.1:9091" } }
                    """,
                Map.of("TOKEN", "a23456789012345678901234"))
            .settings();

    assertThat(settings.reuse())
        .isEqualTo(
            new ReuseSettings(
                // No route is public, so nothing is ever kept.
                new CacheSettings(0, MIB, 3, "x-tags", true, true, "a23456789012345678901234"),
                new CoalesceSettings(
                    MIB, 7, Duration.ofSeconds(1), Duration.ZERO, Duration.ofSeconds(40)),
                List.of("br", "gzip"),
                "v7"));
    assertThat(settings.spool()).isEqualTo(new SpoolSettings(MIB, 20 * MIB));
  }

  @Test
  void routesKeys_areItsPolicy() {
    Route route =
        route(
            "cache: { enabled: true }",
            """
            class: public_ssr,
            cookies: { assert_public: true, ignore: [_ga, "_gid*"] },
            cache: { override_origin: true, ttl: { max: 2s }, stale_while_revalidate: 0,
                     stale_if_error: 5m, statuses: explicit, heuristic: true, rsc: static,
                     query: { mode: include, keys: [a, B] }, vary: { headers: [Accept] },
                     forward: [X-Country], request: whole },
            coalesce: { enabled: false }
            """);

    assertThat(route.share())
        .isEqualTo(
            new SharePolicy(
                false,
                false,
                new CachePolicy(
                    true,
                    true,
                    Duration.ofSeconds(2),
                    Duration.ZERO,
                    Duration.ofMinutes(5),
                    true,
                    true),
                new CookiePolicy(true, List.of("_ga", "_gid*")),
                new KeyPolicy(
                    QueryMode.INCLUDE,
                    List.of("a", "B"),
                    List.of("accept"),
                    List.of("x-country"),
                    true,
                    true)));
  }

  // CCH-01, CCH-03, COA-02: who may be kept, and who may board
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true | class: static | true | true",
        "true | class: public_ssr | true | true",
        "true | class: public_dynamic | true | true",
        "true | class: private_dynamic | false | false",
        "true | class: streaming | false | false",
        "false | class: static | false | true",
        "false | class: public_ssr, cache: { enabled: true } | false | true",
        "true | class: public_ssr, cache: { enabled: false } | false | true",
        "true | class: public_ssr, coalesce: { enabled: false } | true | false",
        "false | class: public_ssr, coalesce: { enabled: false } | false | false"
      })
  void sharing_isByClass_unlessTheRouteSaysOtherwise(
      boolean global, String keys, boolean caches, boolean coalesces) {
    SharePolicy share = route("cache: { enabled: " + global + " }", keys).share();

    assertThat(share.cache().enabled()).isEqualTo(caches);
    assertThat(share.coalesce()).isEqualTo(coalesces);
    assertThat(share.isOn()).isEqualTo(caches || coalesces);
  }

  // SPL-01, SPL-04
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | class: public_ssr | false",
        "false | spool: { enabled: true } | true",
        "true | class: private_dynamic | true",
        "true | spool: { enabled: false } | false",
        "true | class: streaming | false"
      })
  void spool_isTheRoutesOrTheGlobalOne(boolean global, String keys, boolean spools) {
    assertThat(route("spool: { enabled: " + global + " }", keys).spool()).isEqualTo(spools);
  }

  // DEC-24, DEC-34, DEC-11, DEC-08, CCH-01
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cache: { eviction: clock } | class: static | clock is read as w_tinylfu",
        "cache: { eviction: fifo } | class: static | fifo is read as w_tinylfu",
        "'' | class: static, cache: { request: whole } | whole: what a client sends",
        "'' | class: static, cache: { statuses: explicit } | explicit: errors are kept",
        "'' | class: static, cache: { enabled: true } | cache.enabled is false",
        "'' | class: static, cache: { override_origin: true, ttl: { max: 1s } } | with cookies still goes alone"
      })
  void oddChoice_isWarnedOf(String global, String route, String words) {
    String text = Reading.LEAST + global + "\nroutes: [ { id: a, match: /a, " + route + " } ]";

    assertThat(Reading.lines(Reading.accepted(text).warnings()))
        .anySatisfy(line -> assertThat(line).contains(words));
  }

  // DEC-08: who has said what cookies mean is not told again.
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void override_withAWordOnCookies_isNotWarnedOf(String asserted) {
    String text =
        Reading.LEAST
            + "server: { hosts: [a.example] }\ncache: { enabled: true }\n"
            + "routes: [ { id: a, match: /a, class: static, cookies: { assert_public: "
            + asserted
            + " }, cache: { override_origin: true, ttl: { max: 1s } } } ]";

    assertThat(Reading.accepted(text).warnings()).isEmpty();
  }

  // DEC-38
  @Test
  void keptMemory_shrinksWithTheMachine_andLeavesRoomForWhatIsWritten() {
    String shop =
        Reading.LEAST + "cache: { enabled: true }\nroutes: [ { id: a, match: /a, class: static } ]";
    // B = 0.9 x 200 - 32 - 4 = 144 MiB; requests take 18, and each of the two half of the rest.
    Settings small = settings(machine(200), shop);
    assertThat(small.wire().requestMemory()).isEqualTo(18 * MIB);
    assertThat(small.reuse().cache().maxMemory()).isEqualTo(63 * MIB);
    assertThat(small.spool().maxMemory()).isEqualTo(63 * MIB);

    Settings written = settings(machine(200), shop + "\nspool: { max_memory: 100MiB }");
    assertThat(written.spool().maxMemory()).isEqualTo(100 * MIB);
    assertThat(written.reuse().cache().maxMemory()).isEqualTo(26 * MIB);

    assertThat(settings(machine(4000), shop).reuse().cache().maxMemory()).isEqualTo(256 * MIB);
    assertThat(settings(machine(1), shop).reuse().cache().maxMemory()).isEqualTo(MIB);
  }

  // DEC-38
  @Test
  void writtenMemory_aboveTheRoom_isAnErrorAtRun_aWarningAtCheck() {
    String text =
        Reading.LEAST
            + "cache: { enabled: true, max_memory: 145MiB }\n"
            + "routes: [ { id: a, match: /a, class: static } ]";

    assertThat(read(machine(200), Strictness.RUN, text)).isInstanceOf(Refused.class);
    SettingsResult checked = read(machine(200), Strictness.CHECK, text);
    assertThat(checked).isInstanceOf(Accepted.class);
    assertThat(Reading.lines(checked.warnings()))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("cache.max_memory: 145MiB does not fit the memory at hand")
                    .contains("= 144MiB"));
  }

  private static Machine machine(long directMib) {
    return new Machine(1, 64 * MIB, directMib * MIB, 8192 * MIB, 20_000, "0badcafe");
  }

  private static Settings settings(Machine machine, String text) {
    return ((Accepted) read(machine, Strictness.RUN, text)).settings();
  }

  private static SettingsResult read(Machine machine, Strictness strictness, String text) {
    return new SettingsReader(Map.of(), machine, strictness).read("sluice.yaml", text);
  }
}
