package dev.sluice.config;

import static dev.sluice.config.LawReading.NAME;
import static dev.sluice.config.LawReading.NOTHING;
import static dev.sluice.config.LawReading.accepted;
import static dev.sluice.config.LawReading.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.DrawnValue.Item;
import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Rows;
import dev.sluice.config.Key.Traits;
import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import dev.sluice.config.SettingsResult.Accepted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/** What is written is in force, and what is in force can be written down. */
class ConfigurationLawsTest {

  private static final Pattern BOUNDS = Pattern.compile("from (\\d+)(\\w*) to (\\d+)(\\w*)");

  /** CFG-01, CFG-27 to CFG-29: each value that fits its key's type is read as it was meant. */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void file_drawnFromTheSchema_readsBackAsWritten(@ForAll Random random) {
    DrawnFile file = DrawnFile.of(random);
    WrittenFile written = WrittenFile.freely(file, random);
    Problems problems = new Problems(NAME);
    Values values = new Values();
    Optional<Node> document = new DocumentReader(written.text(), problems).read();
    document.ifPresent(
        node -> new TreeReader(new Placeholders(file.environment()), values, problems).read(node));

    assertThat(problems.errors()).as(written.text()).isEmpty();
    file.values()
        .forEach(
            (path, drawn) -> {
              Value value = values.at(path);
              assertThat(value.value()).as(written.text()).isEqualTo(drawn.value());
              assertThat(value.spot()).as(path).isEqualTo(written.key(path));
              assertThat(value.isWritten()).as(path).isTrue();
            });
    assertThat(values.all().stream().filter(Value::isWritten).map(Value::keyPath))
        .containsExactlyInAnyOrderElementsOf(file.values().keySet());
  }

  /** Each effective line is what was written, or says where it came from. */
  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void effective_ofAnyFile_showsWhatWasWritten(@ForAll Random random) {
    DrawnFile file = settled(DrawnFile.of(random));
    WrittenFile written = WrittenFile.freely(file, random);
    Accepted accepted = accepted(written.text(), file);

    for (Effective.Entry entry : accepted.effective().entries()) {
      DrawnValue drawn = file.values().get(entry.keyPath());
      if (drawn == null) {
        assertThat(entry.source()).isIn("default", "resolved from auto");
      } else if (!entry.source().startsWith("resolved")) {
        boolean hidden =
            Objects.requireNonNull(file.keys().get(entry.keyPath())).traits() == Traits.SECRET;
        String shown = String.valueOf(written.shown(entry.keyPath()));
        boolean open = !hidden || shown.startsWith("${") || shown.equals("\"\"");
        assertThat(entry.value()).isEqualTo(open ? Problems.oneLine(shown) : "(hidden)");
        assertThat(entry.source()).endsWith(NAME + ":" + written.key(entry.keyPath()).line());
      }
    }
    assertThat(accepted.effective().entries().stream().map(Effective.Entry::keyPath))
        .doesNotHaveDuplicates()
        .containsAll(file.values().keySet());
    assertThat(accepted.effective().lines()).noneMatch(line -> line.contains("\n"));
  }

  /** CFG-28, CFG-29: order, spelling and style of a file do not matter, on any instance. */
  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void settings_anyOrderAndSpelling_areThoseOfTheNormalForm(@ForAll Random random) {
    DrawnFile file = settled(DrawnFile.of(random));
    Statistics.label("keys").collect(file.values().size() / 10 * 10);
    WrittenFile written = WrittenFile.freely(file, random);
    Settings normal = accepted(WrittenFile.normally(file).text(), file).settings();
    assertThat(accepted(written.text(), file).settings()).as(written.text()).isEqualTo(normal);
  }

  /** Two files have one fingerprint if and only if they mean the same. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void fingerprints_areEqual_exactlyWhereValuesAre(@ForAll Random random) {
    Map<String, String> one = fewValues(random);
    Map<String, String> other = fewValues(random);
    String first = accepted(file(one), NOTHING).settings().fingerprint();
    String second = accepted(file(other), NOTHING).settings().fingerprint();
    assertThat(first.equals(second)).as(one + " " + other).isEqualTo(one.equals(other));
  }

  private static Map<String, String> fewValues(Random random) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("command", DrawnValue.pick(random, "[]", "[\"a, b\"]", "[a, b]", "[\"a\\n, b\"]"));
    values.put("finish_timeout", DrawnValue.pick(random, "30s", "31s"));
    values.put("max_idle", DrawnValue.pick(random, "auto", "7"));
    return values;
  }

  private static String file(Map<String, String> origin) {
    var text = new StringBuilder("version: 1\norigin:\n  upstreams: [\"127.0.0.1:3000\"]\n");
    origin.forEach((key, value) -> text.append("  " + key + ": " + value + "\n"));
    return text.toString();
  }

  /** What {@code check --effective} shows, written out, loads to the same. */
  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void effective_writtenOut_loadsToTheSame(@ForAll Random random) {
    // The only key whose items may have a comma, which the lines do not mark.
    DrawnFile file = settled(DrawnFile.of(random).lacking("origin.command"));
    Accepted accepted = accepted(WrittenFile.freely(file, random).text(), file);
    boolean resolvedToo = random.nextBoolean();
    Map<String, DrawnValue> lines = new LinkedHashMap<>();
    for (Effective.Entry entry : accepted.effective().entries()) {
      // Kept bytes that nobody wrote shrink by rules that do not hold for written ones.
      boolean resolved = entry.source().startsWith("resolved");
      boolean taken = !resolved || (resolvedToo && !entry.keyPath().endsWith("_memory"));
      if (taken && !entry.value().equals("(hidden)")) {
        lines.put(entry.keyPath(), shown(entry));
      }
    }
    String text = WrittenFile.normally(new DrawnFile(file.keys(), lines)).text();
    assertThat(lines(accepted(text, file).effective())).isEqualTo(lines(accepted.effective()));
  }

  private static DrawnValue shown(Effective.Entry entry) {
    String name = entry.keyPath().substring(entry.keyPath().lastIndexOf('.') + 1);
    Leaf leaf = (Leaf) DrawnFile.siblings(entry.keyPath()).find(name).orElseThrow();
    String value = entry.value().equals("\"\"") ? "" : entry.value();
    if (leaf.type().item() == null) {
      return new DrawnValue(value, List.of(Item.of(value, value)), false);
    }
    String inner = value.substring(1, value.length() - 1);
    List<Item> items =
        Arrays.stream(inner.split(", "))
            .filter(item -> !item.isEmpty())
            .map(item -> Item.of(item, item))
            .toList();
    return new DrawnValue(value, items, true);
  }

  private static List<String> lines(Effective effective) {
    return effective.entries().stream()
        .filter(entry -> !entry.keyPath().equals("cache.purge.token"))
        .map(entry -> entry.keyPath() + ": " + entry.value())
        .toList();
  }

  /** The bounds that an error names are those in force. */
  @Example
  void types_eachBound_isTheOneTheyName() {
    int bounded = 0;
    for (Leaf leaf : leaves(Schema.ROOT)) {
      for (String wrong : List.of("?", "0B", "-1", "87600h", "2000000000")) {
        Matcher range = BOUNDS.matcher(expected(leaf, wrong));
        if (range.find()) {
          bounded++;
          Beyond least = new Beyond(range.group(1), range.group(2), -1);
          Beyond most = new Beyond(range.group(3), range.group(4), 1);
          for (Beyond bound : List.of(least, most)) {
            assertThat(leaf.type().parse(bound.at())).as(leaf.name()).isInstanceOf(Good.class);
            assertThat(leaf.type().parse(bound.next())).as(leaf.name()).isInstanceOf(Bad.class);
          }
        }
      }
    }
    assertThat(bounded).isGreaterThan(60);
  }

  private record Beyond(String number, String unit, int step) {
    String at() {
      return number + unit;
    }

    String next() {
      return Long.parseLong(number) + step + unit;
    }
  }

  private static String expected(Leaf leaf, String wrong) {
    return leaf.type().item() == null && leaf.type().parse(wrong) instanceof Bad bad
        ? bad.expected()
        : "";
  }

  private static List<Leaf> leaves(Group group) {
    List<Leaf> leaves = new ArrayList<>();
    for (Key key : group.keys()) {
      if (key instanceof Leaf leaf) {
        leaves.add(leaf);
      } else {
        leaves.addAll(leaves(key instanceof Rows rows ? rows.item() : (Group) key));
      }
    }
    return leaves;
  }
}
