package dev.sluice.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
