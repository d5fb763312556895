package dev.sluice.config;

import static dev.sluice.config.LawReading.MACHINE;
import static dev.sluice.config.LawReading.NAME;
import static dev.sluice.config.LawReading.any;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.SettingsResult.Refused;
import dev.sluice.config.WrittenFile.Faults;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** No text is left without an answer, and each error has a place in it. */
class AnyTextLawsTest {

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

  private static final Pattern LINE_END = Pattern.compile("\\R");

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
}
