package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code sluice check} says of the file that has every key once. */
class ExampleFileTest {

  @Test
  void example_isCheckedInThisBuild_namesWhatIsNotBuilt() {
    SettingsResult result =
        Reading.read(Reading.resource("config/example.yaml"), java.util.Map.of());

    assertThat(result).isInstanceOf(SettingsResult.Refused.class);
    assertThat(Reading.lines(((SettingsResult.Refused) result).errors()))
        .containsExactly(
            "sluice.yaml:10:3: error: server.tls: not in this build yet (tls); leave the section"
                + " out");
    assertThat(Reading.lines(result.warnings())).containsExactly("");
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
