package dev.sluice.governor.classify;

import java.util.ArrayList;
import java.util.List;

/**
 * The routes, compiled so that a look-up allocates nothing. Immutable.
 *
 * <p>Routes are dealt into buckets by the first character behind the leading slash; a bucket keeps
 * the file's order and a route that could match any such character stands in all of them, so the
 * first match in the bucket is the first match in the file (DEC-01).
 *
 * <p>{@code /products/**} takes {@code /products} and everything under {@code /products/}, never
 * {@code /products-old}. Paths are compared decoded and with their case (RFC 3986 6.2.2.1).
 */
final class RouteTable {

  private static final String WILDCARD = "/**";
  private static final int BUCKETS = 128;

  private record Rule(Route route, String text, boolean prefix) {

    static Rule of(Route route) {
      boolean prefix = route.match().endsWith(WILDCARD);
      int length = route.match().length() - (prefix ? WILDCARD.length() : 0);
      return new Rule(route, route.match().substring(0, length), prefix);
    }

    boolean matches(String path) {
      if (!prefix) {
        return path.equals(text);
      }
      return path.startsWith(text)
          && (path.length() == text.length() || path.charAt(text.length()) == '/');
    }

    boolean standsIn(int bucket) {
      return text.length() < 2 || bucketOf(text) == bucket;
    }
  }

  private final Rule[][] buckets = new Rule[BUCKETS][];

  RouteTable(List<Route> routes) {
    var rules = new ArrayList<Rule>(routes.size());
    for (Route route : routes) {
      rules.add(Rule.of(route));
    }
    for (int i = 0; i < BUCKETS; i++) {
      int bucket = i;
      buckets[i] = rules.stream().filter(rule -> rule.standsIn(bucket)).toArray(Rule[]::new);
    }
  }

  /** The first route in file order that takes {@code path}; none is {@link Route#IMPLICIT}. */
  Route find(String path) {
    for (Rule rule : buckets[bucketOf(path)]) {
      if (rule.matches(path)) {
        return rule.route;
      }
    }
    return Route.IMPLICIT;
  }

  private static int bucketOf(String path) {
    return path.length() < 2 ? 0 : path.charAt(1) & (BUCKETS - 1);
  }
}
