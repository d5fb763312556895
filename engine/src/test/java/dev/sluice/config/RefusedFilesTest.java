package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The wrong files of config/refused.txt: each with its row, the line and column, the key path and a
 * part of the message that it must get.
 */
class RefusedFilesTest {

  private static final String MARK = "### ";

  record Case(String row, String place, String keyPath, String words, String text) {

    static Case of(String heading, String words, String text) {
      String[] parts = heading.substring(MARK.length()).split(" ", 3);
      String keyPath = parts[2].equals("-") ? "" : parts[2];
      return new Case(parts[0], parts[1], keyPath, words.substring(MARK.length()), text);
    }

    @Override
    public String toString() {
      return row + " " + place + " " + keyPath;
    }
  }

  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    List<String> lines = Reading.resource("config/refused.txt").lines().toList();
    int start = 0;
    while (start < lines.size()) {
      int end = start + 2;
      while (end < lines.size() && !lines.get(end).startsWith(MARK)) {
        end++;
      }
      String text = String.join("\n", lines.subList(start + 2, end));
      cases.add(Case.of(lines.get(start), lines.get(start + 1), text));
      start = end;
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void file_isWrong_isRefusedAtItsPlace(Case wrong) {
    assertThat(Reading.errors(wrong.text))
        .as(wrong.row)
        .anySatisfy(
            problem -> {
              assertThat(problem.line() + ":" + problem.column()).isEqualTo(wrong.place);
              assertThat(problem.keyPath()).isEqualTo(wrong.keyPath);
              assertThat(problem.message()).contains(wrong.words);
            });
  }

  @Test
  void rows_ofRefusals_areAllThere() {
    assertThat(cases().map(Case::row))
        .contains("CFG-02", "CFG-04", "CFG-06", "CFG-07", "CFG-09", "CFG-10", "CFG-11", "CFG-12")
        .contains("CFG-13", "CFG-14", "CFG-15", "CFG-16", "CFG-17", "CFG-18", "CFG-19", "CFG-20")
        .contains("CFG-21", "CFG-22", "CFG-23", "CFG-24", "CFG-25", "CFG-26", "CFG-27", "CFG-28")
        .contains("CFG-29", "DEC-09", "DEC-30", "DEC-37", "DEC-38", "M03", "RTE-03", "RTE-04");
  }
}
