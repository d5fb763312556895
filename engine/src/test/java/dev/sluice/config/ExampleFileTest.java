package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code sluice check} says of the file that has every key once. */
class ExampleFileTest {

  @Test
  void example_isCheckedInThisBuild_namesWhatIsNotBuilt() {
    SettingsResult result = Reading.read(Reading.resource("config/example.yaml"), Map.of());

    assertThat(result).isInstanceOf(SettingsResult.Refused.class);
    assertThat(Reading.lines(((SettingsResult.Refused) result).errors()))
        .containsExactly(
            "sluice.yaml:10:3: error: server.tls: not in this build yet (tls); leave the section"
                + " out",
            "sluice.yaml:16:3: error: server.trusted_proxies: not in this build yet"
                + " (trusted_proxies); leave the section out",
            "sluice.yaml:53:3: error: origin.tls: not in this build yet (origin.tls); leave the"
                + " section out",
            "sluice.yaml:75:3: error: origin.health: not in this build yet (health); leave the"
                + " section out",
            "sluice.yaml:135:16: error: routes[0].cache.enabled: true: not in this build yet"
                + " (cache); leave the key out, or write false",
            "sluice.yaml:136:24: error: routes[0].cache.override_origin: true: not in this build yet"
                + " (cache); leave the key out, or write false",
            "sluice.yaml:137:19: error: routes[0].cache.ttl.max: 2s: not in this build yet (cache);"
                + " leave the key out",
            "sluice.yaml:138:31: error: routes[0].cache.stale_while_revalidate: 30s: not in this"
                + " build yet (cache); leave the key out, or write 0s",
            "sluice.yaml:139:23: error: routes[0].cache.stale_if_error: 5m: not in this build yet"
                + " (cache); leave the key out, or write 0s",
            "sluice.yaml:147:26: error: routes[0].coalesce.enabled: true: not in this build yet"
                + " (coalesce); leave the key out, or write false");
    assertThat(Reading.lines(result.warnings()))
        .containsExactly(
            "sluice.yaml:129:5: warning: routes[0].class: public_ssr may be shared, and server.hosts"
                + " is empty: any Host is served; list the names that are served in server.hosts");
  }

  @Test
  void example_namesEveryKey_ofTheSchema() {
    List<String> keys = new ArrayList<>();
    collect(Schema.ROOT, keys);
    String text = Reading.resource("config/example.yaml");
    // Tiers have no default, so the example leaves their maps empty.
    keys.removeAll(List.of("high", "normal", "low"));

    assertThat(keys)
        .hasSizeGreaterThan(100)
        .allSatisfy(key -> assertThat(text).contains(key + ":"));
  }

  private static void collect(Key.Group group, List<String> keys) {
    for (Key key : group.keys()) {
      keys.add(key.name());
      if (key instanceof Key.Group inner) {
        collect(inner, keys);
      } else if (key instanceof Key.Rows rows) {
        collect(rows.item(), keys);
      }
    }
  }
}
