package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.fetch.FetchSettings;
import dev.sluice.governor.fetch.FetchSettings.HealthSettings;
import dev.sluice.governor.fetch.FetchSettings.LoadBalancing;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a file says of several upstreams (ORG-01 to ORG-07, BEY-23). */
class UpstreamSettingsTest {

  @Test
  void org02org07_nothingSaid_isRoundRobinWithoutProbes() {
    FetchSettings fetch = fetch("upstreams: [\"a:1\", \"b:1\"]");

    assertThat(fetch.loadBalancing()).isEqualTo(LoadBalancing.ROUND_ROBIN);
    assertThat(fetch.health()).isNull();
    assertThat(fetch.maxEjectedPercent()).isEqualTo(50);
  }

  @Test
  void org06_healthWithAPathAlone_hasDefaults() {
    HealthSettings health =
        Objects.requireNonNull(fetch("upstreams: [\"a:1\"], health: { path: /h }").health());

    assertThat(health)
        .isEqualTo(new HealthSettings("/h", Duration.ofSeconds(5), Duration.ofSeconds(2), 3, 2));
  }

  @Test
  void everyBalancing_isKnown() {
    for (LoadBalancing each : LoadBalancing.values()) {
      String word = each.name().toLowerCase(Locale.ROOT);

      assertThat(fetch("upstreams: [\"a:1\"], load_balancing: " + word).loadBalancing())
          .isEqualTo(each);
    }
  }

  @Test
  void bey23_ceilingsThatNeverMeetTheLimit_areWarnedOf() {
    assertThat(warnings("concurrency: { max: 64, per_upstream: 16 }"))
        .containsExactly(
            "sluice.yaml:2:62: warning: origin.concurrency.per_upstream: 16 for each of 2 upstreams"
                + " is 32 in all, and origin.concurrency.max 64 is never reached; lower"
                + " origin.concurrency.max to 32, so that queue and shares are sized for it");
    assertThat(warnings("concurrency: { max: 32, per_upstream: 16 }")).isEmpty();
    assertThat(warnings("concurrency: { max: 32 }")).isEmpty();
  }

  /** DEC-37: several upstreams take more than one's connections. */
  @Test
  void dec37_maxConnectionsOfSeveral_mayBeBelowMax() {
    assertThat(warnings("max_connections: 40")).isEmpty();
  }

  private static List<String> warnings(String keys) {
    return Reading.lines(
        Reading.accepted("version: 1\norigin: { upstreams: [\"a:1\", \"b:1\"], " + keys + " }\n")
            .warnings());
  }

  private static FetchSettings fetch(String origin) {
    return Reading.accepted("version: 1\norigin: { " + origin + " }\n").settings().fetch();
  }
}
