package dev.sluice.governor.reuse;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.cache.CacheKey;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;

/**
 * Remembers the request fields that answers were seen to vary by (DEC-34): for a route where
 * requests are built, for a primary key where they go out whole. What is forgotten is learned
 * again. Thread-safe.
 */
public final class VaryMemory implements VaryNamesInForce {

  /** How a Vary stands to the key of the flight whose answer carries it. */
  public enum Fit {
    /** The key has every name: whoever has the key may have the answer. */
    COVERED,
    /**
     * Names are new to the key, and known from now on: the answer is that of the requests without
     * them ({@link KeyRecipe#keyWithout}).
     */
    LEARNED,
    /** The names are too many or too personal: nobody else may have the answer. */
    UNSUPPORTED
  }

  private static final int MOST_KEYS = 100_000;

  /** As many as a file may have; routes of earlier files count until the process ends. */
  static final int MOST_ROUTES = 10_000;

  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9a-z-]+");

  /** Told by the origin's hop itself, different for every client. */
  private static final Set<String> PERSONAL =
      Set.of("cookie", "x-forwarded-for", "via", "traceparent", "tracestate");

  private final ConcurrentMap<String, VaryNames> byRoute = new ConcurrentHashMap<>();
  private final Cache<CacheKey, VaryNames> byKey =
      Caffeine.newBuilder().maximumSize(MOST_KEYS).executor(Runnable::run).build();

  @Override
  public VaryNames ofRoute(String routeId) {
    return byRoute.getOrDefault(routeId, VaryNames.NONE);
  }

  @Override
  public VaryNames ofKey(CacheKey primary) {
    VaryNames names = byKey.getIfPresent(primary);
    return names == null ? VaryNames.NONE : names;
  }

  /**
   * Takes note of the names in an answer's Vary, without {@code *}.
   *
   * @param flown what the flight was asked for
   */
  public Fit learn(Keyed flown, Collection<String> vary) {
    KeyParts parts = KeyParts.of(flown.key());
    Set<String> missing = new TreeSet<>();
    for (String name : vary) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (!parts.covers(lower) && !hidesCookies(lower, flown)) {
        missing.add(lower);
      }
    }
    if (missing.isEmpty()) {
      return Fit.COVERED;
    }
    boolean learnable =
        missing.size() <= VaryNames.MOST && missing.stream().allMatch(VaryMemory::isLearnable);
    return learnable && remember(flown, missing) ? Fit.LEARNED : Fit.UNSUPPORTED;
  }

  /** A request with cookies that count has no key, so none of these answers was made for one. */
  private static boolean hidesCookies(String lower, Keyed flown) {
    return lower.equals("cookie") && !KeyPlan.showsCookies(flown.route());
  }

  private static boolean isLearnable(String lower) {
    return lower.length() <= KeyField.LONGEST_NAME
        && TOKEN.matcher(lower).matches()
        && !PERSONAL.contains(lower);
  }

  private boolean remember(Keyed flown, Set<String> missing) {
    if (flown.isWhole()) {
      return fits(
          byKey.asMap().merge(flown.primary(), VaryNames.of(missing), VaryMemory::joined), missing);
    }
    String route = flown.route().id();
    if (byRoute.size() >= MOST_ROUTES && !byRoute.containsKey(route)) {
      return false;
    }
    return fits(byRoute.merge(route, VaryNames.of(missing), VaryMemory::joined), missing);
  }

  /** Names are only ever added; a union that is too large changes nothing. */
  private static VaryNames joined(VaryNames known, VaryNames more) {
    Set<String> union = new TreeSet<>(known.names());
    union.addAll(more.names());
    return union.size() > VaryNames.MOST || union.size() == known.names().size()
        ? known
        : VaryNames.of(union);
  }

  private static boolean fits(VaryNames inForce, Set<String> names) {
    return inForce.names().containsAll(names);
  }
}
