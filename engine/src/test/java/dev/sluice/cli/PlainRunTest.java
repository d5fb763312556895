package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which command lines are read without picocli, and that both ways come to the same. */
final class PlainRunTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "run --config sluice.yaml",
        "run -c /etc/sluice/sluice.yaml",
        "run -c ./a.yaml --exit-after-start"
      })
  void usualLines_areReadPlainly(String line) {
    assertThat(PlainRun.of(line.split(" "))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "check",
        "version",
        "run --help",
        "run --test",
        "run --daemon -c a.yaml",
        "run --config",
        "run --config --test",
        "run --config=a.yaml",
        "run --config @words",
        "run -c a.yaml b.yaml",
        "run -c a.yaml --tell-started x",
        "run --confg a.yaml",
        "--config a.yaml run"
      })
  void everyOtherLine_isPicoclis(String line) {
    assertThat(PlainRun.of(line.split(" "))).isNull();
  }

  @Test
  void wrongConfiguration_hasTheSameExitCodeBothWays() throws Exception {
    Path config = Files.writeString(folder.resolve("sluice.yaml"), "version: 1\nserver: {}\n");

    int plain = Cli.run(new String[] {"run", "--config", config.toString()});
    int read = Cli.run(new String[] {"run", "--config=" + config});

    assertThat(plain).isEqualTo(ExitCode.CONFIGURATION).isEqualTo(read);
  }
}
