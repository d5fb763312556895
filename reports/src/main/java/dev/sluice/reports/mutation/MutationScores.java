package dev.sluice.reports.mutation;

import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import dev.sluice.reports.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The command line that makes a gate of each part's mutants, and then the report. A part that PIT
 * has not run in this build is broken too.
 */
public final class MutationScores {
  private static final String SURVIVORS = "changes that no test noticed, by class";
  private static final int CLASSES_SHOWN = 12;
  private static final String CURRENT = "current";

  private MutationScores() {}

  /**
   * {@code ROOT SINCE PART...}: the repository, when the build began, and the parts whose mutants
   * the tests must notice. Throws where one goes unnoticed that {@code docs/mutation-survivors.md}
   * does not name.
   */
  public static void main(String... args) throws IOException {
    List<String> broken = broken(args);
    // Before it fails, since Maven runs nothing behind that.
    Report.main("--root", args[0]);
    if (!broken.isEmpty()) {
      throw new AssertionError("mutation check: " + String.join("; ", broken));
    }
  }

  /** Writes the gates; returns what is broken. */
  static List<String> broken(String... args) throws IOException {
    if (args.length < 3) {
      throw new IllegalArgumentException(
          "arguments: " + args.length + " (expected: ROOT SINCE PART...)");
    }
    Path root = Path.of(args[0]);
    Instant since = Instant.parse(args[1]);
    Explained explained = Explained.in(root);
    List<String> broken = new ArrayList<>();
    for (String part : List.of(args).subList(2, args.length)) {
      for (String one : gate(root, since, part, explained.of(part))) {
        broken.add(part + ": " + one);
      }
    }
    return broken;
  }

  private static List<String> gate(Path root, Instant since, String part, Set<String> explained)
      throws IOException {
    Gate gate =
        Gate.claim(
            "mutation-" + part,
            "A change to the code of " + part + " is noticed by a test, or explained.",
            root);
    Path file = root.resolve("target/gates/mutation/" + part + "/mutations.xml");
    String report = state(file, since);
    gate.measured("pit_report", report, Bound.equalTo(CURRENT));
    if (report.equals(CURRENT)) {
      List<Mutant> mutants = Mutant.in(file);
      noticed(gate, mutants);
      explained(gate, mutants, explained);
    }
    return gate.end();
  }

  private static String state(Path file, Instant since) throws IOException {
    if (!Files.exists(file)) {
      return "missing";
    }
    // What an earlier build left says nothing of the code as it is now.
    return Files.getLastModifiedTime(file).toInstant().isBefore(since) ? "earlier" : CURRENT;
  }

  private static void noticed(Gate gate, List<Mutant> mutants) {
    long noticed = mutants.stream().filter(Mutant::noticed).count();
    List<Mutant> missed = missed(mutants);
    gate.given("changes", mutants.size());
    gate.measured("changes", mutants.size(), Bound.above(0));
    gate.measured("noticed", noticed);
    gate.measured("not_noticed", missed.size());
    gate.measured(
        "of_these_not_run_by_a_test", missed.stream().filter(one -> !one.covered()).count());
    double percent = mutants.isEmpty() ? 0 : Math.round(1_000.0 * noticed / mutants.size()) / 10.0;
    gate.measured("noticed_percent", percent);
    Map<String, Long> byClass =
        missed.stream()
            .collect(Collectors.groupingBy(Mutant::className, TreeMap::new, Collectors.counting()));
    byClass.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(CLASSES_SHOWN)
        .forEach(entry -> gate.bar(SURVIVORS, "", entry.getKey(), entry.getValue()));
  }

  /**
   * Which changes there are is the same in every run of the same code, so an explanation of none of
   * them is wrong. Which of them are noticed is not, since some end only by PIT's deadline: that an
   * explanation was not needed is said, and breaks nothing.
   */
  private static void explained(Gate gate, List<Mutant> mutants, Set<String> explained) {
    List<Mutant> missed = missed(mutants);
    Predicate<Mutant> isExplained = one -> explained.contains(one.name());
    Set<String> notThere = without(explained, mutants);
    Set<String> notNeeded = without(explained, missed);
    notNeeded.removeAll(notThere);
    long unexplained = missed.stream().filter(isExplained.negate()).count();
    gate.measured("not_explained", unexplained, Bound.atMost(0));
    gate.measured("explained_and_not_there", notThere.size(), Bound.atMost(0));
    gate.measured("explained_and_noticed", notNeeded.size());
    missed.forEach(
        one ->
            System.out.println(
                (isExplained.test(one) ? "  not noticed: " : "  not noticed, not explained: ")
                    + one.where()));
    notThere.forEach(name -> System.out.println("  explained, but not there: " + name));
    notNeeded.forEach(name -> System.out.println("  explained, but noticed: " + name));
  }

  private static List<Mutant> missed(List<Mutant> mutants) {
    return mutants.stream().filter(Predicate.not(Mutant::noticed)).toList();
  }

  private static Set<String> without(Set<String> names, List<Mutant> mutants) {
    Set<String> left = new TreeSet<>(names);
    mutants.forEach(one -> left.remove(one.name()));
    return left;
  }
}
