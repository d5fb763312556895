package dev.sluice.config;

import dev.sluice.governor.classify.Priority;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** What admission could never grant, or never notice, is refused at start (DEC-30). Stateless. */
final class AdmitRules {

  private static final String MAX = "origin.concurrency.max";
  private static final String PER_UPSTREAM = "origin.concurrency.per_upstream";
  private static final String PRIORITIES = "origin.priorities.";
  private static final String RESERVATIONS = "origin.reservations.";

  private final Values values;
  private final Problems problems;

  AdmitRules(Values values, Problems problems) {
    this.values = values;
    this.problems = problems;
  }

  void check() {
    if (!values.sound(MAX)) {
      return;
    }
    for (Priority tier : Priority.values()) {
      share(PRIORITIES + tier.code());
      share(RESERVATIONS + tier.code());
      reservationWithinCeiling(tier);
    }
    reservationsTogether();
    for (int i = 0; i < values.routes(); i++) {
      tierHasAMeaning("routes[" + i + "]");
      weightCanBeGranted("routes[" + i + "]");
    }
  }

  /** CFG-20: a share that is less than one unit. */
  private void share(String key) {
    int percent = percent(key).orElse(0);
    if (percent > 0 && units(percent) == 0) {
      problems.error(
          values.spot(key),
          key,
          values.shown(key)
              + " % of "
              + MAX
              + " "
              + values.shown(MAX)
              + " is not even one unit (expected: at least 1)",
          "raise one of the two");
    }
  }

  private void reservationWithinCeiling(Priority tier) {
    String key = RESERVATIONS + tier.code();
    int reserved = percent(key).orElse(0);
    int ceiling = percent(PRIORITIES + tier.code()).orElse(100);
    if (reserved > ceiling) {
      problems.error(
          values.spot(key),
          key,
          values.shown(key)
              + " % is above the tier's ceiling, "
              + PRIORITIES
              + tier.code()
              + " "
              + values.shown(PRIORITIES + tier.code())
              + " %",
          "lower the reservation or raise the ceiling");
    }
  }

  private void reservationsTogether() {
    int sum = 0;
    for (Priority tier : Priority.values()) {
      sum += percent(RESERVATIONS + tier.code()).orElse(0);
    }
    if (sum > 100) {
      problems.error(
          values.spot("origin.reservations"),
          "origin.reservations",
          "the tiers reserve " + sum + " % together (expected: at most 100)",
          "lower one of them");
      return;
    }
    for (Priority tier : Priority.values()) {
      if (reservedForOthers(tier) >= values.count(MAX)) {
        firstRouteOf(tier).ifPresent(route -> nothingLeft(route, tier));
      }
    }
  }

  private Optional<String> firstRouteOf(Priority tier) {
    return IntStream.range(0, values.routes())
        .mapToObj(i -> "routes[" + i + "]")
        .filter(route -> values.sound(route + ".priority", route + ".class"))
        .filter(route -> tier(route) == tier && InertRules.renders(values.text(route + ".class")))
        .findFirst();
  }

  private Priority tier(String route) {
    return Priority.valueOf(values.text(route + ".priority").toUpperCase(Locale.ROOT));
  }

  /** No weight is low enough, so it is no fault of a weight. */
  private void nothingLeft(String route, Priority tier) {
    String id = values.sound(route + ".id") ? values.text(route + ".id") : route;
    problems.error(
        values.spot("origin.reservations"),
        "origin.reservations",
        "all of "
            + MAX
            + " "
            + values.shown(MAX)
            + " is reserved for other tiers than "
            + tier.code()
            + ": no flight of route "
            + id
            + " could ever start",
        values.written(route + ".match")
            ? "lower a reservation or give the route a tier that has one"
            : "lower a reservation or write a route for /** whose tier has one");
  }

  /** CFG-21 as DEC-30 sharpens it: {@code normal} is always allowed. */
  private void tierHasAMeaning(String route) {
    String key = route + ".priority";
    if (!values.sound(key) || values.text(key).equals("normal") || anyTierIsSet()) {
      return;
    }
    problems.error(
        values.spot(key),
        key,
        values.shown(key)
            + " has no effect: neither origin.priorities nor origin.reservations sets a share",
        "set origin.priorities, or leave the key out");
  }

  private boolean anyTierIsSet() {
    for (Priority tier : Priority.values()) {
      if (values.written(PRIORITIES + tier.code()) || values.written(RESERVATIONS + tier.code())) {
        return true;
      }
    }
    return false;
  }

  private void weightCanBeGranted(String route) {
    if (!values.sound(route + ".weight", route + ".priority")) {
      return;
    }
    Priority tier = tier(route);
    int max = values.count(MAX);
    String own = route + ".concurrency.max";
    if (values.sound(own)) {
      bound(route, values.count(own), own + " " + values.shown(own));
    }
    if (values.sound(PER_UPSTREAM) && values.count(PER_UPSTREAM) > 0) {
      bound(route, values.count(PER_UPSTREAM), PER_UPSTREAM + " " + values.shown(PER_UPSTREAM));
    }
    Optional<Integer> share = percent(PRIORITIES + tier.code());
    int ceiling = units(share.orElse(100));
    String ofMax = MAX + " " + values.shown(MAX);
    bound(
        route,
        ceiling,
        share.isEmpty()
            ? ofMax
            : "tier "
                + tier.code()
                + "'s "
                + ceiling
                + " units ("
                + share.get()
                + " % of "
                + ofMax
                + ")");
    int others = reservedForOthers(tier);
    if (others > 0 && others < max) {
      bound(
          route,
          max - others,
          "the "
              + (max - others)
              + " units that "
              + ofMax
              + " leaves beside origin.reservations of the other tiers, "
              + others);
    }
  }

  private void bound(String route, int room, String what) {
    String key = route + ".weight";
    // Where there is no room at all the share is at fault, and told.
    if (room > 0 && values.count(key) > room) {
      problems.error(
          values.spot(key),
          key,
          values.shown(key) + " is above " + what + ": no flight of this route could ever start",
          "lower the weight to " + room + " or raise the limit");
    }
  }

  private int reservedForOthers(Priority own) {
    int sum = 0;
    for (Priority tier : Priority.values()) {
      sum += tier == own ? 0 : units(percent(RESERVATIONS + tier.code()).orElse(0));
    }
    return sum;
  }

  private Optional<Integer> percent(String key) {
    return values.sound(key) ? Optional.of(values.count(key)) : Optional.empty();
  }

  private int units(int percent) {
    return (int) ((long) values.count(MAX) * percent / 100);
  }
}
