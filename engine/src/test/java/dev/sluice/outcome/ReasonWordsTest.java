package dev.sluice.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The words that logs and headers use are the ones that the page for operators explains. */
class ReasonWordsTest {

  @Test
  void everyBypassReason_isExplained_inItsOwnWords() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "SHARING.md"));

    for (BypassReason reason : BypassReason.values()) {
      assertThat(page).contains("| `" + reason.code() + "` | " + reason.sentence() + " |");
    }
  }

  /** SHR-18. */
  @Test
  void override_isDocumentedAsAnAssertion() throws IOException {
    for (String page : List.of("README.md", "docs/SHARING.md", "docs/configuration.md")) {
      assertThat(Files.readString(Path.of("..", page)).replaceAll("\\s+", " "))
          .as(page)
          .contains("your assertion that every visitor")
          .containsPattern("(makes no|does not make a) personal page safe");
    }
  }

  @Test
  void everyWordOfTheLog_isExplained() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "OPERATIONS.md"));
    String reuse = section(page, "| `cache` |");
    String spool = section(page, "| `spool` |");

    for (Reuse how : Reuse.values()) {
      assertThat(reuse).contains("\n| `" + how.code() + "` |");
    }
    for (Spooling how : Spooling.values()) {
      assertThat(spool).contains("\n| `" + how.code() + "` |");
    }
    for (Reuse how : Reuse.values()) {
      if (how != Reuse.NONE) {
        assertThat(page).contains("`" + how.name().toLowerCase(Locale.ROOT) + "`");
      }
    }
  }

  @Test
  void everyOutcomeOfARetry_isExplained() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "OPERATIONS.md"));
    String row =
        page.lines()
            .filter(line -> line.contains("sluice_origin_retries_total"))
            .findFirst()
            .orElse("");

    for (RetryOutcome outcome : RetryOutcome.values()) {
      assertThat(row).contains("`" + outcome.code() + "`");
    }
  }

  /** One table. */
  private static String section(String page, String start) {
    int from = page.indexOf(start);
    return page.substring(from, page.indexOf("\n\n", from));
  }
}
