package dev.sluice.governor.classify;

import dev.sluice.http.NameSet;
import dev.sluice.http.Target;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The names that a Next.js origin believes because only itself or its platform should send them; no
 * client's request may carry them on (field case N03). Data, stateless.
 */
public final class InternalFields {

  /** Whole names, in lower case. */
  static final List<String> NAMES =
      List.of(
          "next-resume",
          "x-action-forwarded",
          "x-isr",
          "x-matched-path",
          "x-next-resume-state-length",
          "x-next-revalidate-tag-token",
          "x-next-revalidated-tags",
          "x-now-route-matches",
          "x-prerender-revalidate",
          "x-prerender-revalidate-if-generated");

  /** Beginnings of names, in lower case. */
  static final List<String> PREFIXES = List.of("x-invoke-", "x-middleware-");

  /** A query parameter that only the data routes may have. */
  static final String DATA_PARAMETER = "__nextDataReq";

  /** Beginnings of the parameters by which a platform hands over what a route matched. */
  static final List<String> PARAMETER_PREFIXES = List.of("nxtP", "nxtI");

  /** Response fields by which the framework talks to its platform, in lower case. */
  public static final List<String> LEAKED =
      List.of(
          "x-middleware-next",
          "x-middleware-override-headers",
          "x-middleware-rewrite",
          "x-middleware-set-cookie",
          "x-next-cache-tags");

  private static final String DATA_ROUTES = "/_next/data/";

  private InternalFields() {}

  /** The names, to be matched over a head's bytes. */
  public static NameSet names() {
    return NameSet.of(NAMES, PREFIXES);
  }

  /**
   * Whether the query has a parameter that is the framework's own. The target is forwarded as it
   * was sent, so an answer to it is nobody else's (field case N04).
   */
  public static boolean hasInternalParameter(Target target) {
    String query = target.query();
    if (query.isEmpty() || !mayName(query)) {
      return false;
    }
    boolean dataRoute = target.path().startsWith(DATA_ROUTES);
    int from = 0;
    while (from < query.length()) {
      int ampersand = query.indexOf('&', from);
      int to = ampersand < 0 ? query.length() : ampersand;
      if (isInternalParameter(name(query, from, to), dataRoute)) {
        return true;
      }
      from = to + 1;
    }
    return false;
  }

  private static boolean mayName(String query) {
    return query.indexOf('%') >= 0 || query.contains("nxt") || query.contains(DATA_PARAMETER);
  }

  private static boolean isInternalParameter(String name, boolean dataRoute) {
    for (String prefix : PARAMETER_PREFIXES) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return !dataRoute && name.equals(DATA_PARAMETER);
  }

  private static String name(String query, int from, int to) {
    int equals = query.indexOf('=', from);
    String name = query.substring(from, equals < 0 || equals > to ? to : equals);
    if (name.indexOf('%') < 0) {
      return name;
    }
    try {
      return URLDecoder.decode(name, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      // The JDK's only way to say so; a name that does not decode is not the framework's.
      return name;
    }
  }
}
