package dev.sluice.http.caching;

import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Dates of HTTP (RFC 9110 5.6.7), in milliseconds since 1970. The three forms are read to the
 * letter, in any case; the name of the day is checked to be one, not to be the right one.
 * Stateless.
 */
public final class HttpDate {

  /** What a text that is no date gives. */
  public static final long INVALID = -1;

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final List<String> LONG_DAYS =
      List.of("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday");
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  /** A two-digit year further ahead than this is one of the past (RFC 9110 5.6.7). */
  private static final int YEARS_AHEAD = 50;

  private HttpDate() {}

  /** {@code epochMillis} as an IMF-fixdate. */
  public static String format(long epochMillis) {
    return IMF_FIXDATE.format(Instant.ofEpochMilli(epochMillis));
  }

  /**
   * Milliseconds since 1970, 0 for what lies before it, or {@link #INVALID}.
   *
   * @param nowMillis settles the century of the obsolete form with a year of two digits
   */
  public static long parse(String text, long nowMillis) {
    String date = text.toLowerCase(Locale.ROOT);
    int comma = date.indexOf(',');
    if (comma < 0) {
      return asctime(date);
    }
    return comma == 3 ? imfFixdate(date) : rfc850(date, comma, nowMillis);
  }

  // Sun, 06 Nov 1994 08:49:37 GMT
  private static long imfFixdate(String date) {
    boolean shaped =
        date.length() == 29
            && DAYS.contains(date.substring(0, 3))
            && date.startsWith(", ", 3)
            && date.charAt(7) == ' '
            && date.charAt(11) == ' '
            && date.charAt(16) == ' '
            && date.endsWith(" gmt");
    return shaped
        ? millis(number(date, 12, 16), month(date, 8), number(date, 5, 7), time(date, 17))
        : INVALID;
  }

  // Sunday, 06-Nov-94 08:49:37 GMT
  private static long rfc850(String date, int comma, long nowMillis) {
    boolean shaped =
        date.length() == comma + 24
            && LONG_DAYS.contains(date.substring(0, comma))
            && date.charAt(comma + 1) == ' '
            && date.charAt(comma + 4) == '-'
            && date.charAt(comma + 8) == '-'
            && date.charAt(comma + 11) == ' '
            && date.endsWith(" gmt");
    if (!shaped) {
      return INVALID;
    }
    int year = fullYear(number(date, comma + 9, comma + 11), nowMillis);
    return millis(
        year, month(date, comma + 5), number(date, comma + 2, comma + 4), time(date, comma + 12));
  }

  // Sun Nov  6 08:49:37 1994
  private static long asctime(String date) {
    boolean shaped =
        date.length() == 24
            && DAYS.contains(date.substring(0, 3))
            && date.charAt(3) == ' '
            && date.charAt(7) == ' '
            && date.charAt(10) == ' '
            && date.charAt(19) == ' ';
    if (!shaped) {
      return INVALID;
    }
    int day = date.charAt(8) == ' ' ? number(date, 9, 10) : number(date, 8, 10);
    return millis(number(date, 20, 24), month(date, 4), day, time(date, 11));
  }

  private static int fullYear(int twoDigits, long nowMillis) {
    if (twoDigits < 0) {
      return -1;
    }
    int thisYear = Instant.ofEpochMilli(nowMillis).atOffset(ZoneOffset.UTC).getYear();
    int year = thisYear / 100 * 100 + twoDigits;
    if (year + 100 <= thisYear + YEARS_AHEAD) {
      return year + 100;
    }
    return year > thisYear + YEARS_AHEAD ? year - 100 : year;
  }

  private static int month(String date, int from) {
    return MONTHS.indexOf(date.substring(from, from + 3)) + 1;
  }

  /** Seconds of the day of hh:mm:ss, or -1. A leap second counts as the one before it. */
  private static int time(String date, int from) {
    int hour = number(date, from, from + 2);
    int minute = number(date, from + 3, from + 5);
    int second = number(date, from + 6, from + 8);
    boolean valid =
        date.charAt(from + 2) == ':'
            && date.charAt(from + 5) == ':'
            && hour >= 0
            && hour < 24
            && minute >= 0
            && minute < 60
            && second >= 0
            && second <= 60;
    return valid ? hour * 3600 + minute * 60 + Math.min(59, second) : -1;
  }

  private static int number(String date, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      if (!Scan.isDigit(date.charAt(i))) {
        return -1;
      }
      number = number * 10 + (date.charAt(i) - '0');
    }
    return number;
  }

  private static long millis(int year, int month, int day, int secondOfDay) {
    boolean valid =
        year >= 0 && month > 0 && secondOfDay >= 0 && YearMonth.of(year, month).isValidDay(day);
    if (!valid) {
      return INVALID;
    }
    long days = LocalDate.of(year, month, day).toEpochDay();
    return Math.max(0, (days * 86_400 + secondOfDay) * 1000);
  }
}
