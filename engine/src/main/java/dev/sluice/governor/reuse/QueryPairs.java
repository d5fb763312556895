package dev.sluice.governor.reuse;

import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import java.util.Arrays;
import java.util.List;

/**
 * The pairs of one query that are in the key, in the key's order (KEY-09 to KEY-13). Nothing is
 * decoded: what is in the key is what the origin gets. Confined to the event loop of its writer.
 */
final class QueryPairs {

  /** By which a Next.js client names the selector fields it sends; never in a key (DEC-16). */
  static final String RSC = "_rsc";

  /** Up to so many pairs are sorted in place; more of them cost an array of objects. */
  private static final int FEW = 64;

  /** In a name or, the last, anywhere: two origins may see other names than the raw ones. */
  private static final String ODD = "%+[";

  private int[] starts = new int[16];
  private int[] nameEnds = new int[16];
  private int[] ends = new int[16];
  private int count;
  private boolean plain;
  private int rscPairs;
  private int rscStart;
  private int rscEnd;

  /**
   * Which pairs count.
   *
   * @param leavesOutRsc whether {@code _rsc} is the framework's
   */
  record Rule(QueryMode mode, List<String> keys, boolean leavesOutRsc) {

    static Rule of(KeyPolicy policy, boolean leavesOutRsc, boolean leavesOutAll) {
      return new Rule(
          leavesOutAll ? QueryMode.NONE : policy.queryMode(), policy.queryKeys(), leavesOutRsc);
    }

    /** Whether {@code ?} without a pair stays. */
    boolean takesBareMark() {
      return mode == QueryMode.ALL || mode == QueryMode.EXCLUDE;
    }

    private boolean takes(String query, int from, int nameEnd) {
      return switch (mode) {
        case ALL -> true;
        case NONE -> false;
        case INCLUDE -> isListed(query, from, nameEnd);
        case EXCLUDE -> !isListed(query, from, nameEnd);
      };
    }

    private boolean isListed(String query, int from, int nameEnd) {
      for (int i = 0; i < keys.size(); i++) {
        if (Lexis.isExactly(query, from, nameEnd, keys.get(i))) {
          return true;
        }
      }
      return false;
    }
  }

  /** Reads a query; an empty one has no pairs. */
  void read(String query, Rule rule) {
    count = 0;
    plain = true;
    rscPairs = 0;
    int from = 0;
    while (from <= query.length() && !query.isEmpty()) {
      int to = Lexis.find(query, '&', from, query.length());
      pair(query, rule, from, to);
      from = to + 1;
    }
    if (plain) {
      sortIfUnique(query);
    }
  }

  private void pair(String query, Rule rule, int from, int to) {
    int nameEnd = Lexis.find(query, '=', from, to);
    if (rule.leavesOutRsc() && Lexis.isExactly(query, from, nameEnd, RSC)) {
      rscPairs++;
      rscStart = Math.min(nameEnd + 1, to);
      rscEnd = to;
    } else if (rule.takes(query, from, nameEnd)) {
      add(from, nameEnd, to);
      plain &= isPlain(query, from, nameEnd, to);
    }
  }

  private void add(int from, int nameEnd, int to) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      nameEnds = Arrays.copyOf(nameEnds, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    starts[count] = from;
    nameEnds[count] = nameEnd;
    ends[count++] = to;
  }

  /**
   * Whether the raw name is the name that every origin sees. Escapes may hide that two names are
   * one, brackets make lists of several names, and some origins end a pair at a semicolon: then
   * order may have a meaning, and is kept.
   */
  private static boolean isPlain(String query, int from, int nameEnd, int to) {
    for (int i = from; i < to; i++) {
      char c = query.charAt(i);
      if (c == ';' || (i < nameEnd && ODD.indexOf(c) >= 0)) {
        return false;
      }
    }
    return true;
  }

  /** KEY-10 and KEY-11. */
  private void sortIfUnique(String query) {
    if (count > FEW) {
      sortMany(query);
      return;
    }
    for (int i = 1; i < count; i++) {
      int at = i;
      while (at > 0 && compare(query, at - 1, at) > 0) {
        swap(at - 1, at);
        at--;
      }
      if (at > 0 && compare(query, at - 1, at) == 0) {
        restore();
        return;
      }
    }
  }

  private void swap(int one, int other) {
    swap(starts, one, other);
    swap(nameEnds, one, other);
    swap(ends, one, other);
  }

  private static void swap(int[] of, int one, int other) {
    int kept = of[one];
    of[one] = of[other];
    of[other] = kept;
  }

  /** Back to the order of the query, which is that of the starts. */
  private void restore() {
    for (int i = 1; i < count; i++) {
      for (int at = i; at > 0 && starts[at - 1] > starts[at]; at--) {
        swap(at - 1, at);
      }
    }
  }

  private void sortMany(String query) {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (one, other) -> compare(query, one, other));
    for (int i = 1; i < count; i++) {
      if (compare(query, order[i - 1], order[i]) == 0) {
        return;
      }
    }
    starts = permuted(starts, order);
    nameEnds = permuted(nameEnds, order);
    ends = permuted(ends, order);
  }

  private static int[] permuted(int[] of, Integer[] order) {
    int[] result = new int[of.length];
    for (int i = 0; i < order.length; i++) {
      result[i] = of[order[i]];
    }
    return result;
  }

  private int compare(String query, int one, int other) {
    int a = starts[one];
    int b = starts[other];
    while (a < nameEnds[one] && b < nameEnds[other]) {
      int difference = query.charAt(a++) - query.charAt(b++);
      if (difference != 0) {
        return difference;
      }
    }
    return (nameEnds[one] - a) - (nameEnds[other] - b);
  }

  int count() {
    return count;
  }

  /** Writes the pairs with {@code &} between them. */
  void write(String query, KeyWriter out) {
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        out.octet('&');
      }
      out.text(query, starts[i], ends[i]);
    }
  }

  /** How many {@code _rsc} were left out. */
  int rscPairs() {
    return rscPairs;
  }

  /** Where the last {@code _rsc}'s value begins. */
  int rscStart() {
    return rscStart;
  }

  int rscEnd() {
    return rscEnd;
  }
}
