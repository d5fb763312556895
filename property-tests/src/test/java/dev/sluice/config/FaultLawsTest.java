package dev.sluice.config;

import static dev.sluice.config.LawReading.any;
import static dev.sluice.config.LawReading.errors;
import static dev.sluice.config.LawReading.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Parsed.Good;
import dev.sluice.config.WrittenFile.Faults;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** CFG-04, CFG-05: what is wrong is told in its place, all at once, with what was meant. */
class FaultLawsTest {

  /** CFG-04, CFG-05: a slip of the pen is found where it stands and known for what was meant. */
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void key_mistyped_isRefusedInItsPlaceWithWhatWasMeant(@ForAll Random random) {
    DrawnFile file = DrawnFile.of(random);
    String path = any(file.named().stream().filter(key -> leavesASection(file, key)), random);
    String meant = path.substring(path.lastIndexOf('.') + 1);
    String typed = any(slips(path).stream(), random);
    Faults faults = Faults.none();
    faults.typed().put(path, typed);
    WrittenFile written = WrittenFile.freely(file, random, faults);

    List<SettingsProblem> errors = new ArrayList<>(errors(written.text(), file));
    SettingsProblem unknown =
        errors.stream().filter(error -> isUnknown(error)).findFirst().orElseThrow();
    assertThat(spot(unknown)).as(written.text()).isEqualTo(written.key(path));
    assertThat(unknown.keyPath()).isEqualTo(parent(path) + typed);
    assertThat(unknown.message()).startsWith("unknown key " + typed + " (expected: ");
    assertThat(unknown.suggestion()).isEqualTo("did you mean " + meant + "?");

    errors.remove(unknown);
    String rest = WrittenFile.normally(file.lacking(path)).text();
    assertThat(errors.stream().map(SettingsProblem::keyPath).sorted())
        .as(written.text())
        .isEqualTo(errors(rest, file).stream().map(SettingsProblem::keyPath).sorted().toList());
  }

  /** Whether the section around a key is there without it, too, or means nothing when empty. */
  private static boolean leavesASection(DrawnFile file, String path) {
    String section = parent(path);
    return !DrawnFile.siblings(path).absent()
        || file.named().stream().anyMatch(key -> !key.equals(path) && key.startsWith(section));
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('.') + 1);
  }

  private static boolean isUnknown(SettingsProblem error) {
    return error.message().startsWith("unknown key ");
  }

  /** One letter left out, doubled, or swapped with the next, where that makes no other key. */
  private static Set<String> slips(String path) {
    String word = path.substring(path.lastIndexOf('.') + 1);
    Set<String> slips = new TreeSet<>();
    for (int i = 0; i < word.length(); i++) {
      String before = word.substring(0, i);
      String behind = word.substring(i + 1);
      slips.add(before + behind);
      slips.add(before + word.charAt(i) + word.charAt(i) + behind);
      if (!behind.isEmpty()) {
        slips.add(before + behind.charAt(0) + word.charAt(i) + behind.substring(1));
      }
    }
    DrawnFile.siblings(path).keys().forEach(key -> slips.remove(key.name()));
    return slips;
  }

  /** CFG-05: one reading tells each of several faults, in the file's order, and nothing else. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void faults_inOneFile_areToldAllAtOnce(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 12) int most) {
    DrawnFile file = settled(DrawnFile.of(random));
    List<String> paths = new ArrayList<>(file.values().keySet());
    Collections.shuffle(paths, random);
    Faults faults = Faults.none();
    DrawnFile rest = file;
    for (String path : paths.subList(0, Math.min(most, paths.size()))) {
      boolean typo = random.nextInt(3) == 0 && leavesASection(rest, path);
      DrawnFile lacking = rest.lacking(path);
      if (typo && errors(WrittenFile.normally(lacking).text(), file).isEmpty()) {
        faults.typed().put(path, any(slips(path).stream(), random));
        rest = lacking;
      } else if (random.nextBoolean()) {
        faults.twice().put(path, DrawnValue.pick(random, "1", "[a]", "{ a: b }"));
      } else {
        faults.instead().put(path, wrong(Objects.requireNonNull(file.keys().get(path)), random));
      }
    }
    WrittenFile written = WrittenFile.freely(file, random, faults);
    List<String> planted = new ArrayList<>();
    faults.typed().forEach((path, to) -> planted.add(at(written.key(path), parent(path) + to)));
    faults.twice().forEach((path, to) -> planted.add(at(written.repeated(path), path)));
    faults.instead().forEach((path, to) -> planted.add(at(written.value(path), path)));
    List<SettingsProblem> errors = errors(written.text(), file);
    assertThat(errors.stream().map(error -> at(spot(error), error.keyPath())))
        .as(written.text())
        .containsExactlyInAnyOrderElementsOf(planted);
    assertThat(errors)
        .isSortedAccordingTo(
            Comparator.comparingInt(SettingsProblem::line)
                .thenComparingInt(SettingsProblem::column));
  }

  /** YAML that no value of the key is, whatever its type. */
  private static String wrong(Leaf leaf, Random random) {
    if (leaf.type().item() != null) {
      return DrawnValue.pick(random, "word", "\"\"", "null", "{ a: [b] }");
    }
    boolean free = leaf.type().parse("\0?") instanceof Good;
    return DrawnValue.pick(
        random, "[]", "[a, { b: c }]", "{ a: b }", "~", free ? "null" : "\"\\0?\"");
  }

  private static String at(Spot spot, String keyPath) {
    return spot.line() + ":" + spot.column() + ": " + keyPath;
  }

  private static Spot spot(SettingsProblem problem) {
    return new Spot(problem.line(), problem.column());
  }
}
