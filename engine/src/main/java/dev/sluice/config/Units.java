package dev.sluice.config;

import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and prints quantities: the unit is never guessed (CFG-28, CFG-29). Stateless. */
final class Units {

  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18})([A-Za-z]*)(/s)?");
  private static final Map<String, Long> BYTES =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1000L, "m", 60_000L, "h", 3_600_000L);
  private static final Map<String, String> MEANT =
      Map.of(
          "KB", "KiB", "kB", "KiB", "K", "KiB", "MB", "MiB", "M", "MiB", "GB", "GiB", "G", "GiB");

  /** Ten years: what is longer is a slip of the pen. */
  private static final long LONGEST_MILLIS = 10L * 365 * 24 * 3_600_000;

  private static final long LARGEST_BYTES = 1L << 50;

  private Units() {}

  static Parsed duration(String text, boolean zeroIsOff) {
    String expected =
        zeroIsOff
            ? "a duration such as 5s (ms, s, m, h), or 0"
            : "a duration such as 5s (ms, s, m, h)";
    if (zeroIsOff && text.equals("0")) {
      return new Good(Duration.ZERO);
    }
    Parsed parsed = quantity(text, MILLIS, "s", expected, LONGEST_MILLIS, false);
    if (!(parsed instanceof Good good)) {
      return parsed;
    }
    long millis = (Long) good.value();
    return millis == 0 && !zeroIsOff
        ? new Bad("is no time at all", "a duration above zero", "")
        : new Good(Duration.ofMillis(millis));
  }

  static Parsed size(String text) {
    return quantity(
        text, BYTES, "KiB", "a size such as 64KiB (B, KiB, MiB, GiB)", LARGEST_BYTES, false);
  }

  static Parsed rate(String text) {
    return text.equals("0")
        ? new Good(0L)
        : quantity(
            text,
            BYTES,
            "KiB/s",
            "a rate such as 1KiB/s (B, KiB, MiB, GiB per second), or 0",
            LARGEST_BYTES,
            true);
  }

  private static Parsed quantity(
      String text,
      Map<String, Long> units,
      String example,
      String expected,
      long largest,
      boolean perSecond) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches()) {
      return new Bad("is not a whole number with a unit", expected, "");
    }
    String unit = matcher.group(2);
    if (unit.isEmpty()) {
      return new Bad("has no unit", expected, "write the unit, as in 5" + example);
    }
    Long factor = units.get(unit);
    if (factor == null || (matcher.group(3) != null) != perSecond) {
      String meant = MEANT.get(unit);
      String remedy = meant != null && units.containsKey(meant) ? "sizes are binary: " + meant : "";
      return new Bad("has a unit that does not fit here", expected, remedy);
    }
    long number = Long.parseLong(matcher.group(1));
    return number > largest / factor
        ? new Bad("is too large", "at most " + largest / factor + unit, "")
        : new Good(number * factor);
  }

  /** As it would be written: the largest unit that leaves no rest. */
  static String print(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0s";
    }
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    if (millis % 3_600_000 == 0) {
      return millis / 3_600_000 + "h";
    }
    return millis % 60_000 == 0 ? millis / 60_000 + "m" : millis / 1000 + "s";
  }

  /** As it would be written: the largest unit that leaves no rest. */
  static String print(long bytes) {
    if (bytes != 0 && bytes % (1L << 30) == 0) {
      return (bytes >> 30) + "GiB";
    }
    if (bytes != 0 && bytes % (1L << 20) == 0) {
      return (bytes >> 20) + "MiB";
    }
    return bytes != 0 && bytes % 1024 == 0 ? (bytes >> 10) + "KiB" : bytes + "B";
  }
}
