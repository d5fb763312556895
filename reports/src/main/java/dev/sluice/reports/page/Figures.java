package dev.sluice.reports.page;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How the keys and values of reports read: {@code answered_after_millis: 54} as 54 ms. */
final class Figures {
  private static final Map<String, String> UNITS =
      Map.of(
          "nanos", "ns",
          "micros", "µs",
          "millis", "ms",
          "seconds", "s",
          "mib", "MiB",
          "bytes", "B",
          "percent", "%");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])-?\\d+(\\.\\d+)?(E\\d+)?(?![\\w.])");
  private static final String[] BYTES = {"B", "KiB", "MiB", "GiB"};

  private Figures() {}

  /** The key in words, without its unit. */
  static String label(String key) {
    String words = key.replace('_', ' ');
    String unit = unit(key);
    return unit.isEmpty() ? words : words.substring(0, words.lastIndexOf(' '));
  }

  /** The unit that the key ends with; "" = none. */
  static String unit(String key) {
    int last = key.lastIndexOf('_');
    return last < 0 ? "" : UNITS.getOrDefault(key.substring(last + 1), "");
  }

  /** The value as a reader wants it, with its unit. */
  static String value(String key, Object value) {
    if (value instanceof Number number) {
      return quantity(number.doubleValue(), unit(key));
    }
    if (value instanceof Boolean truth) {
      return truth ? "yes" : "no";
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> entry.getKey() + " " + value("", String.valueOf(entry.getValue())))
          .collect(Collectors.joining(", "));
    }
    return String.valueOf(value);
  }

  /** A bound's text with its numbers as readers want them. */
  static String bound(String key, String text) {
    String unit = unit(key);
    return NUMBER
        .matcher(text)
        .replaceAll(found -> quantity(Double.parseDouble(found.group()), unit));
  }

  static String quantity(double number, String unit) {
    if (unit.equals("B") && Math.abs(number) >= 10 * 1024) {
      double left = number;
      int step = 0;
      while (Math.abs(left) >= 1024 && step < BYTES.length - 1) {
        left /= 1024;
        step++;
      }
      return number(left) + " " + BYTES[step];
    }
    return unit.isEmpty() ? number(number) : number(number) + " " + unit;
  }

  /** About three digits, thousands apart. */
  static String number(double number) {
    if (!Double.isFinite(number)) {
      return "–";
    }
    double size = Math.abs(number);
    if (number == Math.rint(number) || size >= 100) {
      return String.format(Locale.ROOT, "%,d", Math.round(number));
    }
    int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 3;
    String text = String.format(Locale.ROOT, "%." + decimals + "f", number);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  static String duration(long millis) {
    long seconds = Math.round(millis / 1e3);
    if (seconds >= 60) {
      return seconds / 60 + " min " + seconds % 60 + " s";
    }
    return number(Math.round(millis / 100.0) / 10.0) + " s";
  }
}
