package dev.sluice.wire.client;

import dev.sluice.time.WallClock;
import dev.sluice.wire.http1.Heads;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The Date field (RFC 9110 6.6.1), made once a second. Confined to one loop. */
public final class DateLine {

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private final WallClock clock;
  private long second = Long.MIN_VALUE;
  private byte[] line = new byte[0];

  DateLine(WallClock clock) {
    this.clock = clock;
  }

  /** The line, ended by CRLF; not to be changed. */
  public byte[] now() {
    long current = Math.floorDiv(clock.epochMillis(), 1000L);
    if (current != second) {
      second = current;
      line = Heads.ascii("Date: " + IMF_FIXDATE.format(Instant.ofEpochSecond(current)) + "\r\n");
    }
    return line;
  }
}
