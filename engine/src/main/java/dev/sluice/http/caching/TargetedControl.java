package dev.sluice.http.caching;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which field of a response governs this cache (RFC 9213): {@code CDN-Cache-Control}, then {@code
 * Surrogate-Control} in the same syntax, then {@code Cache-Control} with {@code Expires}. A
 * targeted field stands in for all that follow it; one that is empty, no Structured Field or of a
 * wrong type is as if it were absent. Stateless.
 */
public final class TargetedControl {

  private static final List<FieldName> TARGETED =
      List.of(FieldName.CDN_CACHE_CONTROL, FieldName.SURROGATE_CONTROL);

  private TargetedControl() {}

  /** The directives that a cache of our kind goes by. */
  public static CacheControl governing(Headers response) {
    for (FieldName field : TARGETED) {
      if (response.has(field)) {
        CacheControl targeted = targeted(String.join(", ", response.all(field)));
        if (targeted != null) {
          return targeted;
        }
      }
    }
    return CacheControl.of(response, FieldName.CACHE_CONTROL);
  }

  private static @Nullable CacheControl targeted(String text) {
    Map<String, StructuredDictionary.Member> members = StructuredDictionary.parse(text);
    if (members.isEmpty()) {
      return null;
    }
    var builder = new CacheControl.Builder();
    for (var member : members.entrySet()) {
      String name = member.getKey();
      Directive directive = Directive.find(name, 0, name.length());
      if (directive != null && !take(directive, member.getValue(), builder)) {
        return null;
      }
    }
    return builder.build(true);
  }

  /** Whether the member's type is one that its directive can have. */
  private static boolean take(
      Directive directive, StructuredDictionary.Member member, CacheControl.Builder builder) {
    switch (member.type()) {
      case FALSE -> {}
      case TRUE -> builder.add(directive, null);
      case INTEGER -> integer(directive, member.number(), builder);
      case OTHER -> {
        if (directive.isSeconds()) {
          return false;
        }
        builder.flag(directive);
      }
    }
    return true;
  }

  private static void integer(Directive directive, long number, CacheControl.Builder builder) {
    if (directive.isSeconds()) {
      builder.seconds(directive, Math.min(Scan.MAX_SECONDS, Math.max(0, number)));
    } else {
      builder.flag(directive);
    }
  }
}
