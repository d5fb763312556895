package dev.sluice.config;

import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.governor.reuse.cache.CacheSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** What cache, coalescing and keys may not say, alone and together (CFG-07, DEC-34). Stateless. */
final class SharingRules {

  private final Values values;
  private final Problems problems;

  SharingRules(Values values, Problems problems) {
    this.values = values;
    this.problems = problems;
  }

  void check() {
    eviction();
    encodings();
    tagHeader();
    atMost("cache.max_body_size", "cache.max_memory");
    atMost("spool.max_body", "spool.max_memory");
    atMost("coalesce.max_body", "spool.max_memory");
    for (int i = 0; i < values.routes(); i++) {
      route("routes[" + i + "]");
    }
  }

  /** DEC-24. */
  private void eviction() {
    String key = "cache.eviction";
    if (values.sound(key) && !values.text(key).equals("w_tinylfu")) {
      problems.warn(
          values.spot(key),
          key,
          values.shown(key) + " is read as w_tinylfu, which keeps more of what is asked for again",
          "write w_tinylfu, or leave the key out");
    }
  }

  private void encodings() {
    String key = "cache.encodings";
    if (!values.sound(key)) {
      return;
    }
    List<String> codings = values.list(key, String.class);
    if (new HashSet<>(codings).size() < codings.size()) {
      error(key, values.shown(key) + " names one coding twice", "name it once");
    }
  }

  private void tagHeader() {
    String key = "cache.tag_header";
    if (values.sound(key) && !CacheSettings.mayCarryTags(values.text(key))) {
      error(
          key,
          values.shown(key) + " has a meaning of its own in HTTP",
          "name a field that only carries tags, as x-sluice-cache-tags");
    }
  }

  /** Sizes that are not written shrink by themselves. */
  private void atMost(String key, String bound) {
    boolean both = values.sound(key, bound) && values.at(bound).isWritten();
    if (both && values.bytes(key) > values.bytes(bound)) {
      error(
          key,
          values.shown(key) + " is above " + bound + " " + values.shown(bound),
          "lower it or raise the other");
    }
  }

  private void route(String route) {
    if (values.sound(route + ".class")) {
      privateClass(route);
    }
    inert(route);
    cookies(route);
    query(route);
    names(route + ".cache.vary.headers");
    names(route + ".cache.forward");
    rsc(route);
    warnings(route);
  }

  private void privateClass(String route) {
    RouteClass routeClass =
        RouteClass.valueOf(values.text(route + ".class").toUpperCase(Locale.ROOT));
    if (routeClass.isPublic()) {
      return;
    }
    for (String name : List.of("cache.enabled", "coalesce.enabled", "cookies.assert_public")) {
      String key = route + "." + name;
      if (isTrue(key)) {
        error(
            key,
            "true contradicts " + route + ".class: " + routeClass.code() + ": it shares nothing",
            "only a public class, as public_ssr, asserts that everyone gets the same");
      }
    }
  }

  /** CFG-07: a switch that another one makes meaningless. */
  private void inert(String route) {
    String kept = route + ".cache.override_origin";
    if (isTrue(kept) && isFalse(route + ".cache.enabled")) {
      error(
          kept,
          "true has no effect: " + route + ".cache.enabled is false",
          "coalesce.override_origin shares without keeping");
    }
    String shared = route + ".coalesce.override_origin";
    if (isTrue(shared) && isFalse(route + ".coalesce.enabled")) {
      error(
          shared,
          "true has no effect: " + route + ".coalesce.enabled is false",
          "turn coalescing on, or leave the key out");
    }
    String own = isTrue(route + ".cache.enabled") ? route + ".cache.enabled" : kept;
    if (isTrue(own) && isFalse("cache.enabled")) {
      // Not an error, or the one switch for everything would need edits in every route.
      problems.warn(
          values.spot(own),
          own,
          "true has no effect: cache.enabled is false, so nothing is kept",
          "set cache.enabled: true");
    }
  }

  /** DEC-08. */
  private void cookies(String route) {
    String override = route + ".cache.override_origin";
    if (isTrue(override) && !values.written(route + ".cookies.assert_public")) {
      problems.warn(
          values.spot(override),
          override,
          "true vouches for the answer, not for who asks: a request with cookies still goes alone",
          "write "
              + route
              + ".cookies.assert_public: true if the page is the same for them, else false");
    }
  }

  private void query(String route) {
    String mode = route + ".cache.query.mode";
    String keys = route + ".cache.query.keys";
    if (!values.sound(mode, keys)) {
      return;
    }
    boolean takesKeys = values.text(mode).equals("include") || values.text(mode).equals("exclude");
    boolean hasKeys = !values.list(keys, String.class).isEmpty();
    if (hasKeys && !takesKeys) {
      error(
          keys,
          values.shown(keys) + " has no effect with " + mode + ": " + values.shown(mode),
          "set mode to include or exclude");
    }
    if (takesKeys && !hasKeys) {
      error(
          mode,
          values.shown(mode) + " without " + keys,
          values.text(mode).equals("include") ? "name them, or write none" : "name them");
    }
  }

  private void names(String key) {
    if (!values.sound(key)) {
      return;
    }
    for (String name : values.list(key, String.class)) {
      if (!KeyPolicy.mayHave(name)) {
        error(
            key,
            name + " is one client's or one request's own and cannot be part of a shared key",
            remedy(name));
      }
    }
  }

  private static String remedy(String name) {
    return name.equals("cookie")
        ? "cookies.assert_public and cookies.ignore say what cookies mean"
        : "take it out of the list";
  }

  private void rsc(String route) {
    String key = route + ".cache.rsc";
    boolean other = values.sound("framework") && values.text("framework").equals("none");
    if (other && values.sound(key) && values.text(key).equals("static")) {
      error(key, "static has no effect: framework is none", "leave the key out");
    }
  }

  private void warnings(String route) {
    warn(
        route + ".cache.request",
        "whole",
        "what a client sends beyond the key reaches a page that others get (DEC-34)",
        "leave it at built, and name in cache.forward what the origin needs");
    warn(
        route + ".cache.statuses",
        "explicit",
        "errors are kept, too, where the origin gives them a lifetime, and bodies that end with"
            + " the connection (DEC-11, C03)",
        "leave it at default, unless the origin is sure of its errors and of its connections");
  }

  private void warn(String key, String word, String message, String suggestion) {
    if (values.sound(key) && values.text(key).equals(word)) {
      problems.warn(values.spot(key), key, word + ": " + message, suggestion);
    }
  }

  private boolean isTrue(String key) {
    return values.sound(key) && values.flag(key);
  }

  private boolean isFalse(String key) {
    return values.sound(key) && !values.flag(key);
  }

  private void error(String key, String message, String suggestion) {
    problems.error(values.spot(key), key, message, suggestion);
  }
}
