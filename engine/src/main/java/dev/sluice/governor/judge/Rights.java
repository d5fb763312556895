package dev.sluice.governor.judge;

import dev.sluice.governor.classify.SharePolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * By what right an answer was stored. It is served only as long as the route grants each of them,
 * so that a reload that takes one back takes back what was stored by it (DEC-36). Stateless.
 */
public final class Rights {

  /** Keeping at all. */
  public static final int PLAIN = 1;

  /** Against, or without, the origin's word. */
  public static final int OVERRIDE = 1 << 1;

  /** Made for a request with cookies. */
  public static final int COOKIES_ASSERTED = 1 << 2;

  /** For a lifetime that the origin did not give. */
  public static final int HEURISTIC = 1 << 3;

  /**
   * With a status that only explicit freshness makes storable, or an end that is the connection's.
   */
  public static final int EXPLICIT_STATUSES = 1 << 4;

  private Rights() {}

  /** Whether {@code policy} grants all of {@code rights}. */
  public static boolean areGrantedBy(int rights, SharePolicy policy) {
    return (rights & ~granted(policy)) == 0;
  }

  /**
   * Those of {@code rights} that are about the bytes, which no confirmation of them grants anew.
   */
  public static int ofBytes(int rights) {
    return rights & (COOKIES_ASSERTED | EXPLICIT_STATUSES);
  }

  /** What they are, for people. */
  public static List<String> words(int rights) {
    var words = new ArrayList<String>();
    add(words, rights, OVERRIDE, "cache.override_origin");
    add(words, rights, COOKIES_ASSERTED, "cookies.assert_public");
    add(words, rights, HEURISTIC, "cache.heuristic");
    add(words, rights, EXPLICIT_STATUSES, "cache.statuses");
    return words.isEmpty() ? List.of("the origin's word") : words;
  }

  private static void add(List<String> words, int rights, int right, String word) {
    if ((rights & right) != 0) {
      words.add(word);
    }
  }

  private static int granted(SharePolicy policy) {
    SharePolicy.CachePolicy cache = policy.cache();
    if (!cache.enabled()) {
      return 0;
    }
    return PLAIN
        | (cache.override() ? OVERRIDE : 0)
        | (policy.cookies().assertPublic() ? COOKIES_ASSERTED : 0)
        | (cache.heuristic() ? HEURISTIC : 0)
        | (cache.explicitStatuses() ? EXPLICIT_STATUSES : 0);
  }
}
