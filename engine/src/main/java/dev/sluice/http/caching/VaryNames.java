package dev.sluice.http.caching;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * The request fields that chose a response (RFC 9110 12.5.5). Immutable.
 *
 * @param star whether something beside the request's fields chose it, too; so reads also what is no
 *     field name
 * @param names in lower case, sorted, each once; none beside a star
 */
public record VaryNames(boolean star, List<String> names) {

  /** Nothing but the target. */
  public static final VaryNames NONE = new VaryNames(false, List.of());

  /** Nobody knows what. */
  public static final VaryNames STAR = new VaryNames(true, List.of());

  public VaryNames {
    names = List.copyOf(names);
  }

  /** Reads all Vary lines of {@code response} as one list. */
  public static VaryNames of(Headers response) {
    if (!response.has(FieldName.VARY)) {
      return NONE;
    }
    var names = new TreeSet<String>();
    for (String line : response.all(FieldName.VARY)) {
      if (!addAll(line, names)) {
        return STAR;
      }
    }
    return names.isEmpty() ? NONE : new VaryNames(false, List.copyOf(names));
  }

  /** Whether all members of {@code line} are names. */
  private static boolean addAll(String line, TreeSet<String> names) {
    int at = Scan.skipEmpty(line, 0);
    while (at < line.length()) {
      int end = Scan.nextComma(line, at);
      String name = line.substring(at, end).strip();
      if (name.equals("*") || Scan.tokenEnd(name, 0) != name.length()) {
        return false;
      }
      names.add(name.toLowerCase(Locale.ROOT));
      at = Scan.skipEmpty(line, end);
    }
    return true;
  }
}
