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

    /** The upstream it is charged to, by its place; -1 where upstreams have no ceilings. */
    private int upstream = -1;

    Entry(String route, Priority tier, int weight) {
      this.route = route;
      this.tier = tier;
      this.weight = weight;
    }

    boolean isGranted() {
      return granted;
    }

    int upstream() {
      return upstream;
    }

    int weight() {
      return weight;
    }
  }

  private final AdmitSettings settings;
  private final List<Route> routes;
  private final List<Entry> entries = new ArrayList<>();

  /** The upstreams in use by their number; the lowest that has room is chosen. */
  private List<Integer> inUse = List.of(0);

  NaiveScan(AdmitSettings settings, List<Route> routes) {
    this.settings = settings;
    this.routes = routes;
  }

  Entry arrive(String route, Priority tier, int weight) {
    var entry = new Entry(route, tier, weight);
    entries.add(entry);
    return entry;
  }

  void use(List<Integer> upstreams) {
    inUse = upstreams;
  }

  /** An attempt elsewhere: the lowest with room that was not tried; false where there is none. */
  boolean move(Entry entry, Set<Integer> tried) {
    for (int upstream : inUse) {
      if (!tried.contains(upstream) && hasRoom(upstream, entry.weight)) {
        entry.upstream = upstream;
        return true;
      }
    }
    return false;
  }

  private boolean hasRoom(int upstream, int weight) {
    int used =
        entries.stream()
            .filter(entry -> entry.granted && entry.upstream == upstream)
            .mapToInt(entry -> entry.weight)
            .sum();
    return used + weight <= settings.perUpstream();
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
    List<Entry> grants = once();
    while (!grants.isEmpty()) {
      grants = once();
    }
  }

  /** Whom one scan over the present state would grant; nothing has changed behind it. */
  List<Entry> wouldGrant() {
    List<Entry> grants = once();
    for (Entry granted : grants) {
      granted.waits = true;
      granted.granted = false;
      granted.upstream = -1;
    }
    return grants;
  }

  /** One scan as it is worded. */
  private List<Entry> once() {
    List<Entry> grants = new ArrayList<>();
    Set<String> blocked = new HashSet<>();
    boolean saving = false;
    for (Priority tier : Priority.values()) {
      for (Entry x : waiting(tier)) {
        if (blocked.contains(x.route)) {
          continue;
        }
        if (used(x.route, null) + x.weight > routeMax(x.route)) {
          blocked.add(x.route);
          continue;
        }
        int usedTier = used(null, tier);
        // A tier that may use everything has no ceiling of its own (I5).
        if (settings.tierMax(tier) < settings.max()
            && usedTier + x.weight > settings.tierMax(tier)) {
          break;
        }
        if (saving && usedTier + x.weight > settings.reserved(tier)) {
          break;
        }
        if (!fits(tier, x.weight)) {
          saving = true;
          break;
        }
        x.waits = false;
        x.granted = true;
        x.upstream = chosen(x.weight);
        grants.add(x);
      }
    }
    return grants;
  }

  private List<Entry> waiting(Priority tier) {
    return entries.stream().filter(entry -> entry.waits && entry.tier == tier).toList();
  }

  private boolean fits(Priority tier, int weight) {
    int needed = used(null, null) + weight;
    for (Priority other : Priority.values()) {
      if (other != tier) {
        needed += Math.max(0, settings.reserved(other) - used(null, other));
      }
    }
    return needed <= settings.max() && (settings.perUpstream() == 0 || chosen(weight) >= 0);
  }

  /** The lowest with room; -1 where none has, or upstreams have no ceilings. */
  private int chosen(int weight) {
    return settings.perUpstream() == 0
        ? -1
        : inUse.stream().filter(upstream -> hasRoom(upstream, weight)).findFirst().orElse(-1);
  }

  private int used(
      @org.jspecify.annotations.Nullable String route,
      @org.jspecify.annotations.Nullable Priority tier) {
    return entries.stream()
        .filter(entry -> entry.granted)
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
