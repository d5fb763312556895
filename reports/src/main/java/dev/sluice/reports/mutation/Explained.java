package dev.sluice.reports.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The changes that {@code docs/mutation-survivors.md} says no test can notice, and how many of each
 * kind in a method. Immutable.
 */
final class Explained {
  private static final String FILE = "docs/mutation-survivors.md";

  /** {@code | `Class.method` | 2 x `some change`, `another change` | the reason |}. */
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (.+) \\| .+ \\|");

  private static final Pattern CHANGE = Pattern.compile("(?:(\\d+) x )?`([^`]+)`");

  private final Map<String, Integer> counts;

  private Explained(Map<String, Integer> counts) {
    this.counts = Map.copyOf(counts);
  }

  /** Of the repository at {@code root}; nothing is explained where it has no such file. */
  static Explained in(Path root) throws IOException {
    Path file = root.resolve(FILE);
    Map<String, Integer> counts = new HashMap<>();
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        Matcher change = CHANGE.matcher(row.group(2));
        while (change.find()) {
          int count = change.group(1) == null ? 1 : Integer.parseInt(change.group(1));
          counts.merge(row.group(1) + " " + change.group(2), count, Integer::sum);
        }
      }
    }
    return new Explained(counts);
  }

  /** Those of {@code missed} that go beyond what is explained. */
  List<Mutant> without(List<Mutant> missed) {
    Map<String, Integer> left = new HashMap<>(counts);
    List<Mutant> unexplained = new ArrayList<>();
    for (Mutant one : missed) {
      if (left.merge(one.kind(), -1, Integer::sum) < 0) {
        unexplained.add(one);
      }
    }
    return unexplained;
  }
}
