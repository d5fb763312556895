package dev.sluice.config;

import dev.sluice.governor.classify.RouteClass;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What routes may not say, alone and together (CFG-09 to CFG-12, CFG-22, DEC-01). Stateless. */
final class RouteRules {

  private static final String WILDCARD = "/**";

  private final Values values;
  private final Problems problems;

  RouteRules(Values values, Problems problems) {
    this.values = values;
    this.problems = problems;
  }

  void check() {
    Map<String, String> ids = new HashMap<>();
    for (int i = 0; i < values.routes(); i++) {
      String route = "routes[" + i + "]";
      id(route, ids);
      hidden(i);
      if (values.sound(route + ".class")) {
        overrides(route);
        spool(route);
      }
    }
    hosts();
  }

  private void id(String route, Map<String, String> ids) {
    String key = route + ".id";
    if (!values.sound(key)) {
      return;
    }
    String first = ids.putIfAbsent(values.text(key), route);
    if (first != null) {
      error(
          key,
          values.shown(key) + " is the id of " + first + ", too (expected: each id once)",
          "logs and metrics tell routes apart by it");
    }
    boolean impostor =
        values.text(key).equals("default")
            && values.sound(route + ".match")
            && !values.text(route + ".match").equals(WILDCARD);
    if (impostor) {
      error(
          key,
          values.shown(key) + " is the name of the catch-all (expected: match /** or another id)",
          "");
    }
  }

  /** DEC-01: the first match wins, so what an earlier route takes whole is never reached. */
  private void hidden(int index) {
    String key = "routes[" + index + "].match";
    if (!values.sound(key)) {
      return;
    }
    for (int i = 0; i < index; i++) {
      String earlier = "routes[" + i + "]";
      if (values.sound(earlier + ".match")
          && covers(values.text(earlier + ".match"), values.text(key))) {
        problems.warn(
            values.spot(key),
            key,
            values.shown(key)
                + " is never reached: "
                + earlier
                + ".match "
                + values.shown(earlier + ".match")
                + " takes all of it",
            "move the narrower route before it");
        return;
      }
    }
  }

  static boolean covers(String earlier, String later) {
    if (!earlier.endsWith(WILDCARD)) {
      return earlier.equals(later);
    }
    String prefix = earlier.substring(0, earlier.length() - WILDCARD.length());
    String path =
        later.endsWith(WILDCARD) ? later.substring(0, later.length() - WILDCARD.length()) : later;
    return path.equals(prefix) || path.startsWith(prefix + "/");
  }

  private void overrides(String route) {
    RouteClass routeClass = routeClass(route);
    String override = route + ".cache.override_origin";
    if (values.sound(override) && values.flag(override)) {
      publicOnly(route, override, routeClass);
      if (!values.written(route + ".cache.ttl.max")) {
        error(
            override,
            "true without " + route + ".cache.ttl.max: nothing says how long to keep",
            "set cache.ttl.max");
      }
    }
    String weaker = route + ".coalesce.override_origin";
    if (values.sound(weaker) && values.flag(weaker)) {
      publicOnly(route, weaker, routeClass);
    }
  }

  private void publicOnly(String route, String key, RouteClass routeClass) {
    if (!routeClass.isPublic()) {
      error(
          key,
          "true contradicts "
              + route
              + ".class: "
              + routeClass.code()
              + ": one client's page would go to another",
          "only a public class, as public_ssr, asserts that everyone gets the same");
    }
  }

  private void spool(String route) {
    String key = route + ".spool.enabled";
    if (values.sound(key) && values.flag(key) && routeClass(route) == RouteClass.STREAMING) {
      error(
          key,
          "true contradicts " + route + ".class: streaming: a stream has no end to wait for",
          "turn spool off on this route");
    }
  }

  /** DEC-46: what is shared under a name that nobody checked can be poisoned by that name. */
  private void hosts() {
    if (values.written("server.hosts") && !values.sound("server.hosts")) {
      return;
    }
    if (values.sound("server.hosts") && !values.list("server.hosts", String.class).isEmpty()) {
      return;
    }
    for (int i = 0; i < values.routes(); i++) {
      String key = "routes[" + i + "].class";
      if (values.sound(key) && routeClass("routes[" + i + "]").isPublic()) {
        problems.warn(
            values.spot(key),
            key,
            values.shown(key) + " may be shared, and server.hosts is empty: any Host is served",
            "list the names that are served in server.hosts");
        return;
      }
    }
  }

  private RouteClass routeClass(String route) {
    return RouteClass.valueOf(values.text(route + ".class").toUpperCase(Locale.ROOT));
  }

  private void error(String key, String message, String suggestion) {
    problems.error(values.spot(key), key, message, suggestion);
  }
}
