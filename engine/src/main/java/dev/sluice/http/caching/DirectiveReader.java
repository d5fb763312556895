package dev.sluice.http.caching;

import org.jspecify.annotations.Nullable;

/**
 * Reads one line of Cache-Control. A line that is damaged, by a quote that never ends or by words
 * that no comma separates, still forbids what it forbids: the damaged part is searched for
 * restrictions, and grants nothing. Stateless.
 */
final class DirectiveReader {

  private DirectiveReader() {}

  static void read(String line, CacheControl.Builder into) {
    int at = Scan.skipEmpty(line, 0);
    while (at < line.length()) {
      at = Scan.skipEmpty(line, element(line, at, into));
    }
  }

  /** Reads the element at {@code from}; the index behind it. */
  private static int element(String line, int from, CacheControl.Builder into) {
    int nameEnd = Scan.tokenEnd(line, from);
    Directive directive = Directive.find(line, from, nameEnd);
    if (nameEnd < line.length() && line.charAt(nameEnd) == '=') {
      return withArgument(line, nameEnd + 1, directive, into);
    }
    return finish(line, nameEnd, directive, null, into);
  }

  private static int withArgument(
      String line, int from, @Nullable Directive directive, CacheControl.Builder into) {
    if (from == line.length() || line.charAt(from) != '"') {
      int end = Scan.tokenEnd(line, from);
      return finish(line, end, directive, line.substring(from, end), into);
    }
    int close = Scan.closingQuote(line, from);
    if (close < 0) {
      add(directive, "", into);
      restrictions(line, from, line.length(), into);
      return line.length();
    }
    // RFC 9111 5.2: both forms of an argument are to be accepted.
    return finish(line, close + 1, directive, line.substring(from + 1, close), into);
  }

  /** Takes the directive if nothing but white space is left of its element. */
  private static int finish(
      String line,
      int from,
      @Nullable Directive directive,
      @Nullable String argument,
      CacheControl.Builder into) {
    int end = Scan.skipSpace(line, from);
    if (end == line.length() || line.charAt(end) == ',') {
      add(directive, argument, into);
      return end;
    }
    add(directive, "", into);
    int comma = Scan.nextComma(line, from);
    restrictions(line, from, comma, into);
    return comma;
  }

  private static void add(
      @Nullable Directive directive, @Nullable String argument, CacheControl.Builder into) {
    if (directive != null) {
      into.add(directive, argument);
    }
  }

  private static void restrictions(String line, int from, int to, CacheControl.Builder into) {
    int at = from;
    while (at < to) {
      int end = Scan.tokenEnd(line, at);
      Directive directive = Directive.find(line, at, end);
      if (directive != null && directive.isRestriction()) {
        into.flag(directive);
      }
      at = Math.max(end, at + 1);
    }
  }
}
