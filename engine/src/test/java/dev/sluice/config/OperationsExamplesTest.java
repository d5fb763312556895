package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worked configurations of docs/OPERATIONS.md are ones that start. */
class OperationsExamplesTest {

  private static final String INDENT = "    ";

  @TempDir Path folder;

  @Test
  void examples_areAccepted() throws IOException {
    TestCertificate.of("localhost").writeTo(folder);
    List<String> examples = examples();

    assertThat(examples).hasSizeGreaterThanOrEqualTo(2);
    for (String example : examples) {
      String here =
          example
              .replace("/etc/sluice/fullchain.pem", folder.resolve("cert.pem").toString())
              .replace("/etc/sluice/origin-ca.pem", folder.resolve("cert.pem").toString())
              .replace("/etc/sluice/privkey.pem", folder.resolve("key.pem").toString());

      assertThat(Reading.lines(Reading.errors(here))).as(example).isEmpty();
    }
  }

  /** Each block of the page that is a whole file. */
  private static List<String> examples() throws IOException {
    Path page = Path.of(System.getProperty("sluice.root", ".."), "docs", "OPERATIONS.md");
    List<String> examples = new ArrayList<>();
    var block = new StringBuilder();
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith(INDENT)) {
        block.append(line.substring(INDENT.length())).append('\n');
      } else {
        if (block.toString().startsWith("version: 1")) {
          examples.add(block.toString());
        }
        block.setLength(0);
      }
    }
    return examples;
  }
}
