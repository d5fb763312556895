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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The worked examples of docs/OPERATIONS.md that are whole files are ones that this build takes.
 */
class OperationsExamplesTest {

  private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

  @TempDir Path folder;

  @Test
  void workedExamples_areAccepted() throws IOException {
    TestCertificate.of("localhost").writeTo(folder);
    List<String> examples = examples(page());

    assertThat(examples).isNotEmpty();
    assertThat(examples)
        .allSatisfy(text -> assertThat(Reading.accepted(text).warnings()).as(text).isEmpty());
  }

  /** Each of these chapters has one, so that its keys are seen in a file that works. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Health and status",
        "Several upstreams",
        "Upstreams that fail",
        "An application beside it",
        "Timeouts",
        "TLS",
        "Trusted proxies",
        "WebSockets"
      })
  void chapter_hasAWorkedExample_thatIsAccepted(String chapter) throws IOException {
    TestCertificate.of("localhost").writeTo(folder);
    String text = page();
    int from = text.indexOf("\n## " + chapter + "\n");
    assertThat(from).as("the chapter").isPositive();
    int end = text.indexOf("\n## ", from + 1);

    assertThat(examples(text.substring(from, end)))
        .isNotEmpty()
        .allSatisfy(example -> assertThat(Reading.accepted(example).warnings()).isEmpty());
  }

  private static String page() throws IOException {
    return Files.readString(
        Path.of(System.getProperty("sluice.root", ".."), "docs", "OPERATIONS.md"));
  }

  /** Those that are whole files. */
  private List<String> examples(String text) {
    return EXAMPLE
        .matcher(text)
        .results()
        .map((MatchResult example) -> here(example.group(1)))
        .filter(example -> example.lines().anyMatch("version: 1"::equals))
        .toList();
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
