package dev.sluice.admin;

import dev.sluice.admin.QueryParameters.Pair;
import dev.sluice.http.Target;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the parameters of a purge ask for: a purge, or nothing that can be done. Immutable. */
sealed interface PurgeCommand {

  /** What a purge selects by. */
  enum Selector {
    TAG,
    PATH,
    PREFIX;

    private final String word = name().toLowerCase(Locale.ROOT);

    private static @Nullable Selector of(String name) {
      for (Selector selector : values()) {
        if (selector.word.equals(name)) {
          return selector;
        }
      }
      return null;
    }
  }

  /**
   * One purge.
   *
   * @param value a tag, or a path or its beginning in normal form
   * @param soft whether what is meant stays, as stale
   */
  record Purge(Selector selector, String value, boolean soft) implements PurgeCommand {

    String word() {
      return selector.word;
    }
  }

  /** A purge of nothing, in one sentence for who asked (CCH-27). */
  record Wrong(String why) implements PurgeCommand {}

  /** Reads {@code tag=T}, {@code path=P} or {@code prefix=P}, and perhaps {@code soft=1}. */
  static PurgeCommand of(String query) {
    QueryParameters read = QueryParameters.read(query);
    if (read.wrong() != null) {
      return new Wrong(read.wrong());
    }
    var parameters = new LinkedHashMap<String, String>();
    for (Pair pair : read.pairs()) {
      if (parameters.put(pair.name(), pair.value()) != null) {
        return new Wrong(pair.name() + " is given twice: one purge means one thing");
      }
    }
    return of(parameters);
  }

  private static PurgeCommand of(Map<String, String> parameters) {
    String soft = parameters.getOrDefault("soft", "0");
    if (!soft.equals("0") && !soft.equals("1")) {
      return new Wrong("soft is 0 or 1");
    }
    Selector selector = null;
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      if (parameter.getKey().equals("soft")) {
        continue;
      }
      Selector known = Selector.of(parameter.getKey());
      if (known == null) {
        return new Wrong("a parameter is unknown (expected: " + words() + ", soft)");
      }
      if (selector != null) {
        return new Wrong("more than one of " + words() + ": one purge means one thing");
      }
      selector = known;
    }
    return selector == null
        ? new Wrong("what is to be purged? (expected: one of " + words() + ")")
        : of(selector, parameters.getOrDefault(selector.word, ""), soft.equals("1"));
  }

  private static PurgeCommand of(Selector selector, String value, boolean soft) {
    if (value.isBlank()) {
      return new Wrong(selector.word + " is empty");
    }
    if (selector == Selector.TAG) {
      return value.indexOf(',') < 0
          ? new Purge(selector, value.strip(), soft)
          : new Wrong("a tag has no comma: purge each tag by itself");
    }
    if (value.charAt(0) != '/' || value.indexOf('?') >= 0) {
      return new Wrong(selector.word + " begins with a slash and has no query");
    }
    return new Purge(selector, normalized(value), soft);
  }

  /** Stored paths have no escapes any more; who writes one means the same path. */
  private static String normalized(String path) {
    Target target = Target.ofOriginForm(path);
    return path.indexOf('%') >= 0 && !target.ambiguous() ? target.path() : path;
  }

  private static String words() {
    return Arrays.stream(Selector.values())
        .map(selector -> selector.word)
        .collect(Collectors.joining(", "));
  }
}
