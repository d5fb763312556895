package dev.sluice.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what a mistyped word was meant to be. Stateless. */
public final class Nearest {

  private static final int LONGEST_WORD = 64;

  private Nearest() {}

  /** The closest of {@code words}, if it is close enough to be meant. */
  public static Optional<String> of(String typed, Collection<String> words) {
    if (typed.length() > LONGEST_WORD) {
      return Optional.empty();
    }
    int allowed = Math.max(1, typed.length() / 3);
    return words.stream()
        .filter(word -> distance(typed, word) <= allowed)
        .min(Comparator.comparingInt(word -> distance(typed, word)));
  }

  /** Insertions, deletions, replacements and swaps of neighbours between two words. */
  static int distance(String a, String b) {
    int[][] table = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        table[i][j] = i == 0 || j == 0 ? i + j : step(table, a, b, i, j);
      }
    }
    return table[a.length()][b.length()];
  }

  private static int step(int[][] table, String a, String b, int i, int j) {
    int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int best = Math.min(table[i - 1][j], table[i][j - 1]) + 1;
    best = Math.min(best, table[i - 1][j - 1] + change);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, table[i - 2][j - 2] + 1) : best;
  }
}
