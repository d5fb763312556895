package dev.sluice.governor.reuse;

import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which cookies count on a route (DEC-08). Immutable. */
final class CookieRule {

  private final List<String> exact;
  private final List<String> prefixes;

  CookieRule(CookiePolicy policy) {
    this.exact = policy.ignored().stream().filter(name -> !name.endsWith("*")).toList();
    this.prefixes =
        policy.ignored().stream()
            .filter(name -> name.endsWith("*"))
            .map(name -> name.substring(0, name.length() - 1))
            .toList();
  }

  /** Whether the head has a cookie that is not ignored. */
  boolean counts(Headers headers, FieldValue value) {
    if (!headers.has(FieldName.COOKIE)) {
      return false;
    }
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == FieldName.COOKIE && counts(value.at(headers, i))) {
        return true;
      }
    }
    return false;
  }

  private boolean counts(CharSequence line) {
    int from = 0;
    while (from < line.length()) {
      int to = Lexis.find(line, ';', from, line.length());
      int start = Lexis.skipSpace(line, from, to);
      if (start < to && !isIgnored(line, start, to)) {
        return true;
      }
      from = to + 1;
    }
    return false;
  }

  /** A pair without {@code =} is a name to some parsers and a value to others: it counts. */
  private boolean isIgnored(CharSequence line, int from, int to) {
    int equals = Lexis.find(line, '=', from, to);
    if (equals == to) {
      return false;
    }
    int nameEnd = Lexis.trimEnd(line, from, equals);
    for (int i = 0; i < exact.size(); i++) {
      if (Lexis.isExactly(line, from, nameEnd, exact.get(i))) {
        return true;
      }
    }
    for (int i = 0; i < prefixes.size(); i++) {
      int length = prefixes.get(i).length();
      if (nameEnd - from >= length && Lexis.isExactly(line, from, from + length, prefixes.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** The head's cookies without the ignored ones, as one line; null where none is left. */
  @Nullable String counted(Headers headers) {
    var kept = new StringBuilder();
    for (String line : headers.all(FieldName.COOKIE)) {
      for (String piece : line.split(";", -1)) {
        String pair = piece.strip();
        if (!pair.isEmpty() && !isIgnored(pair, 0, pair.length())) {
          kept.append(kept.isEmpty() ? "" : "; ").append(pair);
        }
      }
    }
    return kept.isEmpty() ? null : kept.toString();
  }
}
