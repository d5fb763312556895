package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.DrawnValue.Item;
import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Rows;
import dev.sluice.config.Key.Traits;
import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import dev.sluice.config.WrittenFile.Faults;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.Priority;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/**
 * What holds of every configuration file, drawn from the schema itself: what is written is in
 * force, what is in force can be written down, a fault is told in its place and beside all others,
 * and no text at all is left without an answer.
 */
class ConfigurationLawsTest {

  private static final String NAME = "sluice.yaml";
  private static final long GIB = 1L << 30;

  /** A machine that any size fits. */
  private static final Machine MACHINE =
      new Machine(4, GIB, 1L << 52, 1L << 53, 30_000_000, "0badcafe");

  private static final DrawnFile NOTHING = new DrawnFile(Map.of(), Map.of());
  private static final Pattern BOUNDS = Pattern.compile("from (\\d+)(\\w*) to (\\d+)(\\w*)");
  private static final Pattern LINE_END = Pattern.compile("\\R");

  private static final String[] PIECES = {
    "version: 1\n",
    "origin:",
    "routes:",
    "- id: a",
    "match: /**",
    "cache: ",
    "max",
    "\n",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ": ",
    ", ",
    "? ",
    "&a ",
    "*a",
    "<<: ",
    "!!binary ",
    "!x ",
    "| ",
    ">-\n",
    "\"",
    "'",
    "\\x",
    "\\ud800",
    "# ",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "%TAG ! a:\n",
    "null",
    "~",
    "0x1f",
    "1e999",
    ".inf",
    "2001-01-01",
    "1_000",
    "yes",
    "${",
    "${A}",
    "\t",
    "\r",
    "\0",
    "\ufeff",
    "\u0085",
    "\u2028",
    "\u00e9",
    "\ud800",
    "\ud834\udd1e",
    "a",
    "@",
    "`",
    "line 99999999999, column 7",
    "99999999999999999999999999",
    "/".repeat(300)
  };

  private static final String[] VALUES = {
    "[]",
    "{}",
    "~",
    "\"\"",
    "[[[1]]]",
    "{ a: { b: [c, { d: e }] } }",
    "[~, ~]",
    "true",
    "1e400",
    "-0",
    ".nan",
    "\"\\0\"",
    "\"\\ud800\"",
    "\"/\\ud800\"",
    "\"\\u00e9\\n\"",
    "\"${A}\"",
    "\"${\"",
    "!!int x",
    "!!binary aGk=",
    "2001-01-01",
    "0o17",
    "9223372036854775808",
    "999999999999999h",
    "1024GiB",
    "[\"a b\", 1]",
    "127.0.0.1:99999",
    "[::]:1",
    "\"[:::1]:80\"",
    "\"[1%lo]:80\"",
    "::/0",
    "/**",
    "*.",
    "'*'"
  };

  // ---- what is written is what is in force

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

  /** Who uses the application, drawn small so that tiers and weights get in each other's way. */
  record Tiers(
      int max, Map<String, Integer> ceilings, Map<String, Integer> reserved, List<Rule> routes) {

    record Rule(String tier, int weight) {}

    String text() {
      var text = new StringBuilder("version: 1\norigin:\n  upstreams: [\"127.0.0.1:3000\"]\n");
      text.append("  concurrency: { max: " + max + " }\n");
      text.append("  priorities: " + flow(ceilings) + "\n");
      text.append("  reservations: " + flow(reserved) + "\n");
      text.append("routes:\n");
      for (int i = 0; i < routes.size(); i++) {
        text.append("  - { id: r%d, match: /r%d/**, ".formatted(i, i));
        text.append("priority: %s, ".formatted(routes.get(i).tier()));
        text.append("weight: %d }\n".formatted(routes.get(i).weight()));
      }
      return text.toString();
    }

    private static String flow(Map<String, Integer> shares) {
      return shares.entrySet().stream()
          .map(share -> share.getKey() + ": " + share.getValue())
          .collect(Collectors.joining(", ", "{ ", " }"));
    }

    /** Whether each tier that is named has a unit, and each route could have its units alone. */
    boolean fit() {
      List<Rule> all = new ArrayList<>(routes);
      // DEC-02: the catch-all that Sluice adds.
      all.add(new Rule("normal", 1));
      boolean shares = !ceilings.isEmpty() || !reserved.isEmpty();
      return reserved.values().stream().mapToInt(percent -> percent).sum() <= 100
          && ceilings.values().stream().allMatch(percent -> units(percent) > 0)
          && reserved.values().stream().allMatch(percent -> percent == 0 || units(percent) > 0)
          && reserved.entrySet().stream()
              .allMatch(of -> of.getValue() <= ceilings.getOrDefault(of.getKey(), 100))
          && all.stream().allMatch(rule -> rule.tier().equals("normal") || shares)
          && all.stream().allMatch(rule -> rule.weight() <= room(rule.tier()));
    }

    private int room(String tier) {
      int others = 0;
      for (Map.Entry<String, Integer> of : reserved.entrySet()) {
        others += of.getKey().equals(tier) ? 0 : units(of.getValue());
      }
      return Math.min(units(ceilings.getOrDefault(tier, 100)), max - others);
    }

    private int units(int percent) {
      return max * percent / 100;
    }
  }

  @Provide
  Arbitrary<Tiers> tiers() {
    Arbitrary<String> tier = Arbitraries.of("high", "normal", "low");
    Arbitrary<Integer> percent = Arbitraries.of(0, 5, 20, 25, 50, 80, 100);
    Arbitrary<Map<String, Integer>> ceilings =
        Arbitraries.maps(tier, percent.filter(share -> share > 0)).ofMaxSize(2);
    Arbitrary<Map<String, Integer>> reserved = Arbitraries.maps(tier, percent).ofMaxSize(2);
    Arbitrary<List<Tiers.Rule>> routes =
        Combinators.combine(tier, Arbitraries.integers().between(1, 5))
            .as(Tiers.Rule::new)
            .list()
            .ofMaxSize(2);
    return Combinators.combine(Arbitraries.integers().between(1, 12), ceilings, reserved, routes)
        .as(Tiers::new);
  }

  /** DEC-30: refused is exactly what some route could never start under, the catch-all included. */
  @Property(tries = 1000)
  void tiers_accepted_exactlyWhereEachRouteCanStart(@ForAll("tiers") Tiers tiers) {
    Statistics.label("fit").collect(tiers.fit());
    List<SettingsProblem> errors = errors(tiers.text(), NOTHING);
    assertThat(errors.isEmpty()).as(tiers.text() + errors).isEqualTo(tiers.fit());
    if (tiers.fit()) {
      AdmitSettings admit = accepted(tiers.text(), NOTHING).settings().admit();
      assertThat(admit.priorities()).isEqualTo(byTier(tiers.ceilings()));
      assertThat(admit.reservations()).isEqualTo(byTier(tiers.reserved()));
    }
  }

  private static Map<Priority, Integer> byTier(Map<String, Integer> shares) {
    return shares.entrySet().stream()
        .collect(
            Collectors.toMap(
                share -> Priority.valueOf(share.getKey().toUpperCase(Locale.ROOT)),
                Map.Entry::getValue));
  }

  // ---- what is in force, written down

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

  // ---- bounds

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

  // ---- faults

  /** CFG-04, CFG-05: a slip of the pen is found where it stands and known for what was meant. */
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void key_mistyped_isRefusedInItsPlaceWithWhatWasMeant(@ForAll Random random) {
    DrawnFile file = DrawnFile.of(random);
    String path = any(file.named().stream().filter(key -> leavesASection(file, key)), random);
    String meant = path.substring(path.lastIndexOf('.') + 1);
    String typed = any(slips(path).stream(), random);
    Faults faults = Faults.none();
    faults.typed().put(path, typed);
    WrittenFile written = WrittenFile.freely(file, random, faults);

    List<SettingsProblem> errors = new ArrayList<>(errors(written.text(), file));
    SettingsProblem unknown =
        errors.stream().filter(error -> isUnknown(error)).findFirst().orElseThrow();
    assertThat(spot(unknown)).as(written.text()).isEqualTo(written.key(path));
    assertThat(unknown.keyPath()).isEqualTo(parent(path) + typed);
    assertThat(unknown.message()).startsWith("unknown key " + typed + " (expected: ");
    assertThat(unknown.suggestion()).isEqualTo("did you mean " + meant + "?");

    errors.remove(unknown);
    String rest = WrittenFile.normally(file.lacking(path)).text();
    assertThat(errors.stream().map(SettingsProblem::keyPath).sorted())
        .as(written.text())
        .isEqualTo(errors(rest, file).stream().map(SettingsProblem::keyPath).sorted().toList());
  }

  /** Whether the section around a key is there without it, too, or means nothing when empty. */
  private static boolean leavesASection(DrawnFile file, String path) {
    String section = parent(path);
    return !DrawnFile.siblings(path).absent()
        || file.named().stream().anyMatch(key -> !key.equals(path) && key.startsWith(section));
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('.') + 1);
  }

  private static boolean isUnknown(SettingsProblem error) {
    return error.message().startsWith("unknown key ");
  }

  /** One letter left out, doubled, or swapped with the next, where that makes no other key. */
  private static Set<String> slips(String path) {
    String word = path.substring(path.lastIndexOf('.') + 1);
    Set<String> slips = new TreeSet<>();
    for (int i = 0; i < word.length(); i++) {
      String before = word.substring(0, i);
      String behind = word.substring(i + 1);
      slips.add(before + behind);
      slips.add(before + word.charAt(i) + word.charAt(i) + behind);
      if (!behind.isEmpty()) {
        slips.add(before + behind.charAt(0) + word.charAt(i) + behind.substring(1));
      }
    }
    DrawnFile.siblings(path).keys().forEach(key -> slips.remove(key.name()));
    return slips;
  }

  /** CFG-05: one reading tells each of several faults, in the file's order, and nothing else. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void faults_inOneFile_areToldAllAtOnce(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 12) int most) {
    DrawnFile file = settled(DrawnFile.of(random));
    List<String> paths = new ArrayList<>(file.values().keySet());
    Collections.shuffle(paths, random);
    Faults faults = Faults.none();
    DrawnFile rest = file;
    for (String path : paths.subList(0, Math.min(most, paths.size()))) {
      boolean typo = random.nextInt(3) == 0 && leavesASection(rest, path);
      DrawnFile lacking = rest.lacking(path);
      if (typo && errors(WrittenFile.normally(lacking).text(), file).isEmpty()) {
        faults.typed().put(path, any(slips(path).stream(), random));
        rest = lacking;
      } else if (random.nextBoolean()) {
        faults.twice().put(path, DrawnValue.pick(random, "1", "[a]", "{ a: b }"));
      } else {
        faults.instead().put(path, wrong(Objects.requireNonNull(file.keys().get(path)), random));
      }
    }
    WrittenFile written = WrittenFile.freely(file, random, faults);
    List<String> planted = new ArrayList<>();
    faults.typed().forEach((path, to) -> planted.add(at(written.key(path), parent(path) + to)));
    faults.twice().forEach((path, to) -> planted.add(at(written.repeated(path), path)));
    faults.instead().forEach((path, to) -> planted.add(at(written.value(path), path)));
    List<SettingsProblem> errors = errors(written.text(), file);
    assertThat(errors.stream().map(error -> at(spot(error), error.keyPath())))
        .as(written.text())
        .containsExactlyInAnyOrderElementsOf(planted);
    assertThat(errors)
        .isSortedAccordingTo(
            Comparator.comparingInt(SettingsProblem::line)
                .thenComparingInt(SettingsProblem::column));
  }

  /** YAML that no value of the key is, whatever its type. */
  private static String wrong(Leaf leaf, Random random) {
    if (leaf.type().item() != null) {
      return DrawnValue.pick(random, "word", "\"\"", "null", "{ a: [b] }");
    }
    boolean free = leaf.type().parse("\0?") instanceof Good;
    return DrawnValue.pick(
        random, "[]", "[a, { b: c }]", "{ a: b }", "~", free ? "null" : "\"\\0?\"");
  }

  private static String at(Spot spot, String keyPath) {
    return spot.line() + ":" + spot.column() + ": " + keyPath;
  }

  private static Spot spot(SettingsProblem problem) {
    return new Spot(problem.line(), problem.column());
  }

  // ---- anything at all

  @Provide
  Arbitrary<String> garbage() {
    Arbitrary<String> pieces =
        Arbitraries.of(PIECES).list().ofMaxSize(25).map(list -> String.join("", list));
    return Arbitraries.frequencyOf(
        Tuple.of(8, pieces),
        Tuple.of(1, Arbitraries.strings()),
        Tuple.of(1, Combinators.combine(pieces, Arbitraries.strings()).as((a, b) -> a + b)));
  }

  /** Whatever stands in a file, reading it ends, and what is wrong has a place in it. */
  @Property(tries = 2000)
  void text_ofAnyKind_isAnswered(@ForAll("garbage") String text) {
    assertAnswered(text);
    assertAnswered(Reading.LEAST + text);
  }

  /** Depth has no end either. */
  @Property(tries = 60)
  void nesting_ofAnyDepth_isAnswered(
      @ForAll("openers") String opener, @ForAll @IntRange(min = 1, max = 5000) int depth) {
    assertAnswered(opener.repeat(depth));
    assertAnswered(Reading.LEAST + "cache: " + opener.repeat(depth));
    assertAnswered(Reading.LEAST + "routes:\n" + opener.repeat(depth) + "\n");
    String stairs =
        IntStream.range(0, Math.min(depth, 500))
            .mapToObj(step -> " ".repeat(step) + "a:\n")
            .collect(Collectors.joining());
    assertAnswered(Reading.LEAST + stairs);
  }

  @Provide
  Arbitrary<String> openers() {
    return Arbitraries.of(
        "[", "{", "{a: ", "- ", "? ", "[{a: ", "- ? ", "!a ", "&a ", "{a: {}, b: ");
  }

  /** Any value at any key. */
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void values_ofAnyKind_areAnswered(
      @ForAll Random random, @ForAll("garbage") String text, @ForAll("garbage") String name) {
    DrawnFile file = DrawnFile.of(random);
    Faults faults = Faults.none();
    for (int n = random.nextInt(6); n >= 0; n--) {
      String path = any(file.named().stream(), random);
      faults.instead().put(path, DrawnValue.pick(random, VALUES));
      if (random.nextInt(8) == 0) {
        faults.typed().put(path, random.nextBoolean() ? WrittenFile.quoted(name) : name);
      }
    }
    String path = any(file.named().stream(), random);
    faults.instead().put(path, random.nextInt(3) > 0 ? WrittenFile.quoted(text) : text);
    assertAnswered(WrittenFile.freely(file, random, faults).text());
  }

  private static void assertAnswered(String text) {
    SettingsReader reader = new SettingsReader(Map.of("A", "\0\n"), MACHINE, Strictness.CHECK);
    SettingsResult result =
        CompletableFuture.supplyAsync(() -> reader.read(NAME, text))
            .orTimeout(20, TimeUnit.SECONDS)
            .join();
    int lines = 1 + (int) LINE_END.matcher(text).results().count();
    if (result instanceof Refused refused) {
      assertThat(refused.errors()).isNotEmpty();
      for (SettingsProblem problem : refused.errors()) {
        assertThat(problem.line()).isBetween(1, lines);
        assertThat(problem.column()).isBetween(1, text.length() + 1);
        assertThat(problem.toString()).startsWith(NAME + ":").doesNotContainPattern("\\p{Cc}");
      }
    }
  }

  // ---- readings

  private static SettingsReader reader(DrawnFile file) {
    return new SettingsReader(file.environment(), MACHINE, Strictness.CHECK);
  }

  private static List<SettingsProblem> errors(String text, DrawnFile file) {
    return reader(file).read(NAME, text) instanceof Refused refused ? refused.errors() : List.of();
  }

  private static Accepted accepted(String text, DrawnFile file) {
    assertThat(errors(text, file)).as(text).isEmpty();
    return (Accepted) reader(file).read(NAME, text);
  }

  /** The file without what contradicts other keys of it; an error names a key that it can lose. */
  private static DrawnFile settled(DrawnFile drawn) {
    DrawnFile file = drawn;
    List<SettingsProblem> errors = errors(WrittenFile.normally(file).text(), file);
    while (!errors.isEmpty()) {
      int before = file.values().size();
      for (SettingsProblem error : errors) {
        file = without(file, error);
      }
      assertThat(file.values().size()).as(errors.toString()).isLessThan(before);
      errors = errors(WrittenFile.normally(file).text(), file);
    }
    return file;
  }

  private static DrawnFile without(DrawnFile file, SettingsProblem error) {
    DrawnFile left = file.without(error.keyPath());
    if (left.values().size() < file.values().size()) {
      return left;
    }
    for (String path : file.values().keySet()) {
      left = error.message().contains(path) ? left.without(path) : left;
    }
    return left;
  }

  private static <T> T any(Stream<T> of, Random random) {
    List<T> all = of.toList();
    return all.get(random.nextInt(all.size()));
  }
}
