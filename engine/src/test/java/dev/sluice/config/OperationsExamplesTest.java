package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The worked examples of docs/OPERATIONS.md are files that this build takes. */
class OperationsExamplesTest {

  private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

  @Test
  void workedExamples_areAccepted() throws IOException {
    Path docs = Path.of(System.getProperty("sluice.root", ".."), "docs", "OPERATIONS.md");
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(docs))
            .results()
            .map((MatchResult example) -> example.group(1))
            .toList();

    assertThat(examples).isNotEmpty();
    assertThat(examples)
        .allSatisfy(text -> assertThat(Reading.accepted(text).warnings()).as(text).isEmpty());
  }
}
