package dev.sluice.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputLinesTest {

  private static List<String> linesOf(String output) {
    var lines = new ArrayList<String>();
    var bytes = new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8));
    new OutputLines(bytes, lines::add).run();
    return lines;
  }

  @Test
  void output_comesLineByLine_theLastOneToo() {
    assertThat(linesOf("one\r\n\ntwo \u00e9\nrest"))
        .containsExactly("one", "", "two \u00e9", "rest");
  }

  @Test
  void lineWithoutEnd_comesInParts() {
    assertThat(linesOf("x".repeat(2 * OutputLines.MOST + 1)))
        .extracting(String::length)
        .containsExactly(OutputLines.MOST, OutputLines.MOST, 1);
  }

  @Test
  void nothing_isNoLine() {
    assertThat(linesOf("")).isEmpty();
  }
}
