package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The worked examples of docs/OPERATIONS.md that are whole files are ones that this build takes.
 */
class OperationsExamplesTest {

  private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

  @TempDir Path folder;

  @Test
  void workedExamples_areAccepted() throws IOException {
    TestCertificate.of("localhost").writeTo(folder);
    Path docs = Path.of(System.getProperty("sluice.root", ".."), "docs", "OPERATIONS.md");
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(docs))
            .results()
            .map((MatchResult example) -> here(example.group(1)))
            .filter(example -> example.startsWith("version: 1"))
            .toList();

    assertThat(examples).isNotEmpty();
    assertThat(examples)
        .allSatisfy(text -> assertThat(Reading.accepted(text).warnings()).as(text).isEmpty());
  }

  /** With certificates that are on this machine. */
  private String here(String example) {
    String cert = folder.resolve("cert.pem").toString();
    return example
        .replace("/etc/sluice/fullchain.pem", cert)
        .replace("/etc/sluice/origin-ca.pem", cert)
        .replace("/etc/sluice/privkey.pem", folder.resolve("key.pem").toString());
  }
}
