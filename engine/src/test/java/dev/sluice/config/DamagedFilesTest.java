package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.SettingsResult.Refused;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a file looks like, reading it ends with an answer that has a place. */
class DamagedFilesTest {

  private static final String DAMAGE = "{}[]:,-?&*!|>'\"%@`#\t\n $0a\u0000\ufeff";
  private static final int FILES = 3000;

  @Test
  void example_damagedAnywhere_isAnswered() {
    String example = Reading.resource("config/example.yaml");
    Random random = new Random(17);
    for (int i = 0; i < FILES; i++) {
      StringBuilder text = new StringBuilder(example);
      for (int n = random.nextInt(3); n >= 0; n--) {
        damage(text, random);
      }
      SettingsResult result = Reading.read(text.toString(), Map.of());
      assertThat(result).isInstanceOf(Refused.class);
      assertThat(((Refused) result).errors())
          .isNotEmpty()
          .allMatch(problem -> problem.line() >= 1 && problem.column() >= 1);
    }
  }

  private static void damage(StringBuilder text, Random random) {
    int at = random.nextInt(text.length());
    char c = DAMAGE.charAt(random.nextInt(DAMAGE.length()));
    switch (random.nextInt(4)) {
      case 0 -> text.insert(at, c);
      case 1 -> text.setCharAt(at, c);
      case 2 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(40)));
      default -> text.setLength(Math.max(1, at));
    }
  }

  @Test
  void nesting_withoutEnd_isRefused() {
    assertThat(Reading.errors("version: " + "[".repeat(100_000))).isNotEmpty();
    assertThat(Reading.errors("? [a]\n: b\n")).isNotEmpty();
  }

  @Test
  void byteOrderMark_isPassedOver() {
    assertThat(Reading.errors("\ufeff" + Reading.LEAST)).isEmpty();
  }

  @Test
  void place_thatTheFileItselfSpellsOut_isNotTakenForTheErrorsOwn() {
    assertThat(Reading.lines(Reading.errors("a: b\n\"line 99999999999, column 7\" ]\n")))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("sluice.yaml:2:"));
  }

  @Test
  void controlCharacters_areWrittenOut_soThatAnErrorKeepsToItsLine() {
    String text = Reading.LEAST + "\"a\\n\\tb\\e[1m\\x85\": 1\n";
    assertThat(Reading.errors(text))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.keyPath()).isEqualTo("a\\n\\tb\\x1b[1m\\x85");
              assertThat(problem.toString()).doesNotContainPattern("\\p{Cc}");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "overload: { busy_page: { file: ",
        "server: { graceful: { pid_file: ",
        "telemetry: { logging: { access: "
      })
  void path_thatNamesNoFile_isRefusedInItsPlace(String keys) {
    String close = " }".repeat(keys.split("\\{", -1).length - 1);
    assertThat(Reading.errors(Reading.LEAST + keys + "\"/\\ud800\"" + close))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(3);
              assertThat(problem.column()).isEqualTo(keys.length() + 1);
              assertThat(problem.message()).contains("has a character that no file's name has");
            });
  }
}
