package dev.sluice.reports.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The changes that {@code docs/mutation-survivors.md} says no test can notice. Immutable. */
final class Explained {
  private static final String FILE = "docs/mutation-survivors.md";

  /** {@code ## part}; the rows below it are of this part alone. */
  private static final Pattern PART = Pattern.compile("## (\\S+)\\s*");

  /** {@code | `Class.method` | `some change`, no. 2 of 3 `another change` | the reason |}. */
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (.+) \\| .+ \\|");

  private static final Pattern CHANGE = Pattern.compile("(?:no\\. \\d+ of \\d+ )?`[^`]+`");

  private final Map<String, Set<String>> byPart;

  private Explained(Map<String, Set<String>> byPart) {
    this.byPart = byPart;
  }

  /** Of the repository at {@code root}; nothing is explained where it has no such file. */
  static Explained in(Path root) throws IOException {
    Path file = root.resolve(FILE);
    Map<String, Set<String>> byPart = new HashMap<>();
    String part = "";
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      Matcher heading = PART.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        part = heading.group(1);
      } else if (row.matches()) {
        Set<String> names = byPart.computeIfAbsent(part, none -> new HashSet<>());
        CHANGE
            .matcher(row.group(2))
            .results()
            .forEach(it -> names.add(row.group(1) + " " + it.group()));
      }
    }
    return new Explained(byPart);
  }

  /** The names of the mutants of {@code part}, as {@link Mutant#name} gives them. */
  Set<String> of(String part) {
    return Set.copyOf(byPart.getOrDefault(part, Set.of()));
  }
}
