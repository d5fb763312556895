package dev.sluice.scenarios;

import dev.sluice.fixture.launch.RepoRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The required tests that {@code docs/cache-deviations.md} says are not passed. Immutable.
 *
 * @param always those whose demand no setting fulfils
 * @param thisEdition those whose name is fulfilled and whose check says something else
 * @param byDefault those and the ones that settings make pass
 */
record CacheDeviations(
    TreeSet<String> always, TreeSet<String> thisEdition, TreeSet<String> byDefault) {

  private static final Path FILE = RepoRoot.path().resolve("docs/cache-deviations.md");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final int CELLS = 6;

  static CacheDeviations read() throws IOException {
    return parse(Files.readAllLines(FILE));
  }

  private static CacheDeviations parse(List<String> lines) {
    var always = new TreeSet<String>();
    var thisEdition = new TreeSet<String>();
    var byDefault = new TreeSet<String>();
    for (String line : lines) {
      String[] cells = line.split("\\|", -1);
      if (cells.length != CELLS || !cells[1].contains("`")) {
        continue;
      }
      TreeSet<String> ids = quoted(cells[1]);
      byDefault.addAll(ids);
      switch (cells[2].strip()) {
        case "always" -> always.addAll(ids);
        case "this edition" -> thisEdition.addAll(ids);
        case "by default" -> {}
        default -> throw new IllegalStateException(FILE + ": when? " + line);
      }
    }
    return new CacheDeviations(always, thisEdition, byDefault);
  }

  private static TreeSet<String> quoted(String cell) {
    var ids = new TreeSet<String>();
    Matcher matcher = QUOTED.matcher(cell);
    while (matcher.find()) {
      ids.add(matcher.group(1));
    }
    return ids;
  }
}
