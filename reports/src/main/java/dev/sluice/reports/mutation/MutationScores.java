package dev.sluice.reports.mutation;

import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The command line that makes a gate of each part's mutants. Of a part that PIT has not run there
 * is no report, and that is broken too.
 */
public final class MutationScores {
  private static final String SURVIVORS = "changes that no test noticed, by class";
  private static final int CLASSES_SHOWN = 12;

  private MutationScores() {}

  /**
   * {@code ROOT PART...}: the repository, and the parts whose mutants the tests must notice. Ends
   * the JVM with 1 where one goes unnoticed that {@code docs/mutation-survivors.md} does not name.
   */
  public static void main(String... args) throws IOException {
    if (!broken(args).isEmpty()) {
      System.exit(1);
    }
  }

  /** Writes the reports; returns what is broken. */
  static List<String> broken(String... args) throws IOException {
    if (args.length < 2) {
      throw new IllegalArgumentException("arguments: " + args.length + " (expected: ROOT PART...)");
    }
    Path root = Path.of(args[0]);
    Explained explained = Explained.in(root);
    List<String> broken = new ArrayList<>();
    for (String part : List.of(args).subList(1, args.length)) {
      Path file = root.resolve("target/gates/mutation/" + part + "/mutations.xml");
      broken.addAll(
          Files.exists(file)
              ? gate(root, part, Mutant.in(file), explained)
              : List.of(part + ": PIT left no " + file));
    }
    broken.forEach(one -> System.out.println("mutation check: " + one));
    return broken;
  }

  private static List<String> gate(
      Path root, String part, List<Mutant> mutants, Explained explained) {
    Gate gate =
        Gate.claim(
                "mutation-" + part,
                "A change to the code of " + part + " is noticed by a test, or explained.",
                root)
            .given("changes", mutants.size());
    long noticed = mutants.stream().filter(Mutant::noticed).count();
    List<Mutant> missed = mutants.stream().filter(Predicate.not(Mutant::noticed)).toList();
    gate.measured("changes", mutants.size(), Bound.above(0));
    gate.measured("noticed", noticed);
    gate.measured("not_noticed", missed.size());
    gate.measured(
        "of_these_not_run_by_a_test", missed.stream().filter(one -> !one.covered()).count());
    List<Mutant> unexplained = explained.without(missed);
    gate.measured("not_explained", unexplained.size(), Bound.atMost(0));
    double percent = mutants.isEmpty() ? 0 : Math.round(1_000.0 * noticed / mutants.size()) / 10.0;
    gate.measured("noticed_percent", percent);
    Map<String, Long> byClass =
        missed.stream()
            .collect(Collectors.groupingBy(Mutant::className, TreeMap::new, Collectors.counting()));
    byClass.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(CLASSES_SHOWN)
        .forEach(entry -> gate.bar(SURVIVORS, "", entry.getKey(), entry.getValue()));
    missed.forEach(
        one ->
            System.out.println(
                (unexplained.contains(one) ? "  not noticed, not explained: " : "  not noticed: ")
                    + one.where()));
    return gate.end();
  }
}
