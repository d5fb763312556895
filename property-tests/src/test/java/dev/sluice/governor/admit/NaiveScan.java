package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** DEC-30's scan written down as it is worded, over one plain list; the oracle of the laws. */
final class NaiveScan {

  /** One request, in order of arrival. */
  static final class Entry {
    private final String route;
    private final Priority tier;
    private final int weight;
    private boolean waits = true;
    private boolean granted;

    Entry(String route, Priority tier, int weight) {
      this.route = route;
      this.tier = tier;
      this.weight = weight;
    }

    boolean isGranted() {
      return granted;
    }
  }

  private final AdmitSettings settings;
  private final List<Route> routes;
  private final List<Entry> entries = new ArrayList<>();

  NaiveScan(AdmitSettings settings, List<Route> routes) {
    this.settings = settings;
    this.routes = routes;
  }

  Entry arrive(String route, Priority tier, int weight) {
    var entry = new Entry(route, tier, weight);
    entries.add(entry);
    return entry;
  }

  void gone(Entry entry) {
    entry.waits = false;
    entry.granted = false;
  }

  boolean lowerTierWaits(Priority than) {
    return entries.stream().anyMatch(entry -> entry.waits && entry.tier.compareTo(than) > 0);
  }

  /** As often as it grants somebody: I2 wants a scan behind which a second one grants nobody. */
  void scan() {
    List<Entry> grants = wouldGrant();
    while (!grants.isEmpty()) {
      for (Entry next : grants) {
        next.waits = false;
        next.granted = true;
      }
      grants = wouldGrant();
    }
  }

  /** Whom one scan over the present state would grant. */
  List<Entry> wouldGrant() {
    List<Entry> grants = new ArrayList<>();
    Set<String> blocked = new HashSet<>();
    boolean saving = false;
    for (Priority tier : Priority.values()) {
      for (Entry x : waiting(tier)) {
        if (blocked.contains(x.route)) {
          continue;
        }
        if (used(grants, x.route, null) + x.weight > routeMax(x.route)) {
          blocked.add(x.route);
          continue;
        }
        int usedTier = used(grants, null, tier);
        if (usedTier + x.weight > settings.tierMax(tier)) {
          break;
        }
        if (saving && usedTier + x.weight > settings.reserved(tier)) {
          break;
        }
        if (!fits(grants, tier, x.weight)) {
          saving = true;
          break;
        }
        grants.add(x);
      }
    }
    return grants;
  }

  private List<Entry> waiting(Priority tier) {
    return entries.stream().filter(entry -> entry.waits && entry.tier == tier).toList();
  }

  private boolean fits(List<Entry> grants, Priority tier, int weight) {
    int needed = used(grants, null, null) + weight;
    for (Priority other : Priority.values()) {
      if (other != tier) {
        needed += Math.max(0, settings.reserved(other) - used(grants, null, other));
      }
    }
    return needed <= settings.max();
  }

  private int used(
      List<Entry> grants,
      @org.jspecify.annotations.Nullable String route,
      @org.jspecify.annotations.Nullable Priority tier) {
    return entries.stream()
        .filter(entry -> entry.granted || grants.contains(entry))
        .filter(entry -> route == null || entry.route.equals(route))
        .filter(entry -> tier == null || entry.tier == tier)
        .mapToInt(entry -> entry.weight)
        .sum();
  }

  private int routeMax(String id) {
    return routes.stream()
        .filter(route -> route.id().equals(id))
        .map(route -> route.limits().max())
        .filter(java.util.Objects::nonNull)
        .findFirst()
        .orElse(Integer.MAX_VALUE);
  }
}
