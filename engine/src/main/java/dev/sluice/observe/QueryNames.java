package dev.sluice.observe;

/** What a log may tell of a query: which parameters there were, never what they held. */
final class QueryNames {

  /** More of it would make a log line of a client's choosing. */
  private static final int MAX_LENGTH = 256;

  private QueryNames() {}

  static String of(String query) {
    if (query.isEmpty()) {
      return "";
    }
    var names = new StringBuilder();
    int from = 0;
    while (from < query.length() && names.length() < MAX_LENGTH) {
      int end = query.indexOf('&', from);
      int to = end < 0 ? query.length() : end;
      int equals = query.indexOf('=', from);
      int nameEnd = equals < 0 || equals > to ? to : equals;
      if (names.length() > 0) {
        names.append(',');
      }
      names.append(query, from, Math.min(nameEnd, from + MAX_LENGTH));
      from = to + 1;
    }
    return names.toString();
  }
}
