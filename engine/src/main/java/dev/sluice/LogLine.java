package dev.sluice;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A line of the process log: time (RFC 3339, UTC), level, the logger's class, what it says, then
 * the stack of a failure. Logback's patterns say the same, but reading one makes a converter of
 * every kind there is, and its times load the rules of all time zones. Stateless.
 */
final class LogLine extends EncoderBase<ILoggingEvent> {

  private static final int LEVEL_WIDTH = 5;

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    var line = new StringBuilder(128);
    time(line, event.getTimeStamp());
    String level = event.getLevel().toString();
    line.append(' ').append(level).append(" ".repeat(LEVEL_WIDTH - level.length()));
    String logger = event.getLoggerName();
    line.append(' ').append(logger, logger.lastIndexOf('.') + 1, logger.length());
    line.append(' ').append(event.getFormattedMessage()).append(System.lineSeparator());
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.append(ThrowableProxyUtil.asString(thrown));
    }
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  private static void time(StringBuilder line, long epochMillis) {
    var second = LocalDateTime.ofEpochSecond(Math.floorDiv(epochMillis, 1000L), 0, ZoneOffset.UTC);
    digits(line, second.getYear(), 4).append('-');
    digits(line, second.getMonthValue(), 2).append('-');
    digits(line, second.getDayOfMonth(), 2).append('T');
    digits(line, second.getHour(), 2).append(':');
    digits(line, second.getMinute(), 2).append(':');
    digits(line, second.getSecond(), 2).append('.');
    digits(line, (int) Math.floorMod(epochMillis, 1000L), 3).append('Z');
  }

  private static StringBuilder digits(StringBuilder line, int number, int width) {
    String text = Integer.toString(number);
    return line.append("0".repeat(width - text.length())).append(text);
  }
}
