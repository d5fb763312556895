package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.governor.classify.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code sluice check} says of the file that has every key once. */
class ExampleFileTest {

  @Test
  void example_isChecked_namesTheFilesThatAreNotThere() {
    SettingsResult result = Reading.read(Reading.resource("config/example.yaml"), Map.of());

    assertThat(result).isInstanceOf(SettingsResult.Refused.class);
    assertThat(Reading.lines(((SettingsResult.Refused) result).errors()))
        .containsExactly(
            "sluice.yaml:12:5: error: server.tls.cert: there is no file /etc/sluice/fullchain.pem",
            "sluice.yaml:13:5: error: server.tls.key: there is no file /etc/sluice/privkey.pem");
    assertThat(Reading.lines(result.warnings()))
        .containsExactly(
            "sluice.yaml:133:5: warning: routes[0].class: public_ssr may be shared, and server.hosts"
                + " is empty: any Host is served; list the names that are served in server.hosts",
            "sluice.yaml:139:7: warning: routes[0].cache.enabled: true has no effect: cache.enabled"
                + " is false, so nothing is kept; set cache.enabled: true");
  }

  /** BEY-18: a predecessor's file loads as it is. */
  @Test
  void predecessorsFile_isAccepted_tellsWhatIsDifferent() {
    SettingsResult.Accepted result = Reading.accepted(Reading.resource("config/predecessor.yaml"));

    assertThat(Reading.lines(result.warnings()))
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).contains("clock is read as w_tinylfu"))
        .anySatisfy(line -> assertThat(line).contains("server.hosts is empty"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("a request with cookies still goes alone")
                    .contains("routes[2].cookies.assert_public"));
  }

  /** CLI-33, CFG-31: the commented example is the worked one of a Next.js application. */
  @Test
  void commentedExample_isAccepted_andShares() throws IOException {
    String text =
        Files.readString(Path.of(System.getProperty("sluice.root", ".."), "docs", "sluice.yaml"));
    SettingsResult.Accepted accepted = Reading.accepted(text);

    assertThat(Reading.lines(accepted.warnings()))
        .singleElement()
        .asString()
        .contains("server.hosts is empty");
    assertThat(accepted.settings().net().listen().label()).isEqualTo("0.0.0.0:8080");
    assertThat(accepted.settings().classify().routes())
        .extracting(
            Route::id, route -> route.share().isOn(), route -> route.share().cache().enabled())
        .containsExactly(
            tuple("next-static", true, true),
            tuple("next-image", true, true),
            tuple("products", true, true),
            tuple("account", false, false),
            tuple("default", false, false));
    assertThat(text.lines().filter(line -> !line.isBlank()))
        .as("each line says what it is for")
        .allMatch(line -> line.contains("#"));
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
