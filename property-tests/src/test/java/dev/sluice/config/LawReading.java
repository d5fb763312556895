package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Readings of drawn files. Stateless. */
final class LawReading {

  static final String NAME = "sluice.yaml";

  /** A machine that any size fits. */
  static final Machine MACHINE =
      new Machine(4, 1L << 30, 1L << 52, 1L << 53, 30_000_000, "0badcafe");

  static final DrawnFile NOTHING = new DrawnFile(Map.of(), Map.of());

  private LawReading() {}

  private static SettingsReader reader(DrawnFile file) {
    return new SettingsReader(file.environment(), MACHINE, Strictness.CHECK);
  }

  static List<SettingsProblem> errors(String text, DrawnFile file) {
    return reader(file).read(NAME, text) instanceof Refused refused ? refused.errors() : List.of();
  }

  static Accepted accepted(String text, DrawnFile file) {
    assertThat(errors(text, file)).as(text).isEmpty();
    return (Accepted) reader(file).read(NAME, text);
  }

  /** The file without what contradicts other keys of it; an error names a key that it can lose. */
  static DrawnFile settled(DrawnFile drawn) {
    DrawnFile file = drawn;
    List<SettingsProblem> errors = errors(WrittenFile.normally(file).text(), file);
    while (!errors.isEmpty()) {
      int before = file.values().size();
      for (SettingsProblem error : errors) {
        file = without(file, error);
      }
      assertThat(file.values().size()).as(errors.toString()).isLessThan(before);
      errors = errors(WrittenFile.normally(file).text(), file);
    }
    return file;
  }

  private static DrawnFile without(DrawnFile file, SettingsProblem error) {
    DrawnFile left = file.without(error.keyPath());
    if (left.values().size() < file.values().size()) {
      return left;
    }
    for (String path : file.values().keySet()) {
      left = error.message().contains(path) ? left.without(path) : left;
    }
    return left;
  }

  static <T> T any(Stream<T> of, Random random) {
    List<T> all = of.toList();
    return all.get(random.nextInt(all.size()));
  }
}
