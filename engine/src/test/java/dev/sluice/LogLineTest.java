package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a line of the process log looks like. */
final class LogLineTest {

  private final LoggerContext context = new LoggerContext();

  @Test
  void line_hasTimeLevelClassAndMessage() {
    assertThat(line("2026-03-04T05:06:07.008Z", Level.INFO, null))
        .isEqualTo("2026-03-04T05:06:07.008Z INFO  RunCommand port 8080 is open\n");
    assertThat(line("1999-12-31T23:59:59.999Z", Level.ERROR, null))
        .isEqualTo("1999-12-31T23:59:59.999Z ERROR RunCommand port 8080 is open\n");
  }

  @Test
  void failure_followsWithItsStack() {
    var failure = new IllegalStateException("broken", new java.io.IOException("the cause"));

    assertThat(line("2026-03-04T05:06:07.008Z", Level.WARN, failure).lines())
        .startsWith(
            "2026-03-04T05:06:07.008Z WARN  RunCommand port 8080 is open",
            "java.lang.IllegalStateException: broken")
        .anyMatch(line -> line.startsWith("\tat dev.sluice.LogLineTest."))
        .anyMatch(line -> line.equals("Caused by: java.io.IOException: the cause"));
  }

  private String line(String time, Level level, @Nullable Throwable failure) {
    var logger = context.getLogger("dev.sluice.cli.RunCommand");
    var event =
        new LoggingEvent("", logger, level, "port {} is open", failure, new Object[] {8080});
    event.setInstant(Instant.parse(time));
    return new String(new LogLine().encode(event), UTF_8);
  }
}
