package dev.sluice.http.caching;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entity tags that a request's condition lists (RFC 9110 8.8.3, 13.1). A tag without quotes, as
 * Next.js's image optimizer sends and expects back, is taken as it stands. Immutable.
 */
public final class EntityTags {

  private static final String WEAK = "W/";

  private final List<String> tags;

  private EntityTags(List<String> tags) {
    this.tags = List.copyOf(tags);
  }

  /** Reads all lines of {@code field} as one list. */
  public static EntityTags of(Headers request, FieldName field) {
    var tags = new ArrayList<String>(2);
    for (String line : request.all(field)) {
      addAll(line, tags);
    }
    return new EntityTags(tags);
  }

  /** Whether {@code one} and {@code other} are the same, weak or not (RFC 9110 8.8.3.2). */
  public static boolean weaklyEqual(String one, String other) {
    return opaque(one).equals(opaque(other));
  }

  /** Whether {@code one} and {@code other} are the same and neither is weak. */
  public static boolean stronglyEqual(String one, String other) {
    return !isWeak(one) && one.equals(other);
  }

  /** Whether the tag says that the bytes may differ. */
  public static boolean isWeak(String tag) {
    return tag.startsWith(WEAK);
  }

  /** Whether the list is {@code *}: anything that there is matches. */
  public boolean isAny() {
    return tags.size() == 1 && tags.get(0).equals("*");
  }

  /** As If-None-Match compares; null is an answer without a tag. */
  public boolean matchWeakly(@Nullable String tag) {
    return isAny() || (tag != null && tags.stream().anyMatch(listed -> weaklyEqual(listed, tag)));
  }

  /** As If-Match compares; null is an answer without a tag. */
  public boolean matchStrongly(@Nullable String tag) {
    return isAny() || (tag != null && tags.stream().anyMatch(listed -> stronglyEqual(listed, tag)));
  }

  private static String opaque(String tag) {
    return isWeak(tag) ? tag.substring(WEAK.length()) : tag;
  }

  private static void addAll(String line, List<String> tags) {
    int at = Scan.skipEmpty(line, 0);
    while (at < line.length()) {
      int end = Scan.nextComma(line, afterQuotes(line, at));
      tags.add(line.substring(at, end).strip());
      at = Scan.skipEmpty(line, end);
    }
  }

  /** The index behind the quoted part of a tag, where commas do not separate. */
  private static int afterQuotes(String line, int from) {
    int open = line.startsWith(WEAK, from) ? from + WEAK.length() : from;
    if (open < line.length() && line.charAt(open) == '"') {
      // RFC 9110 8.8.3: there is no escape within a tag.
      int close = line.indexOf('"', open + 1);
      return close < 0 ? from : close + 1;
    }
    return from;
  }
}
