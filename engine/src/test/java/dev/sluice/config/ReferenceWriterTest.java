package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Holds docs/configuration.md to the schema; {@code -Dsluice.docs.write=true} rewrites it. */
class ReferenceWriterTest {

  private static final Path REFERENCE =
      Path.of(System.getProperty("sluice.root", ".."), "docs", "configuration.md");

  @Test
  void reference_standsInDocs_isWhatTheSchemaSays() throws IOException {
    String text = new ReferenceWriter().write();
    if (Boolean.getBoolean("sluice.docs.write")) {
      Files.writeString(REFERENCE, text);
    }
    assertThat(REFERENCE).content().isEqualTo(text);
  }

  @Test
  void reference_namesEveryKey_ofTheExample() {
    String text = new ReferenceWriter().write();

    assertThat(text)
        .contains("| `routes[].cache.ttl.max` |")
        .contains("| `server.tls.session_tickets` |")
        .contains(
            "| `origin.concurrency.queue.timeout` | duration, 0 = off | ms, s, m, h | `2s` |");
  }
}
