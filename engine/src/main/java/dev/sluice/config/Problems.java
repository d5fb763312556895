package dev.sluice.config;

import dev.sluice.config.SettingsProblem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers what is wrong with one file, so that one run tells all. Confined to one reading. */
final class Problems {

  private final String file;
  private final List<SettingsProblem> found = new ArrayList<>();

  Problems(String file) {
    this.file = file;
  }

  /** The file's name as it stands in messages. */
  String file() {
    return file;
  }

  void error(Spot spot, String keyPath, String message, String suggestion) {
    add(Severity.ERROR, spot, keyPath, message, suggestion);
  }

  void warn(Spot spot, String keyPath, String message, String suggestion) {
    add(Severity.WARNING, spot, keyPath, message, suggestion);
  }

  void add(Severity severity, Spot spot, String keyPath, String message, String suggestion) {
    found.add(
        new SettingsProblem(
            severity, file, spot.line(), spot.column(), keyPath, message, suggestion));
  }

  List<SettingsProblem> errors() {
    return of(Severity.ERROR);
  }

  List<SettingsProblem> warnings() {
    return of(Severity.WARNING);
  }

  private List<SettingsProblem> of(Severity severity) {
    return found.stream()
        .filter(problem -> problem.severity() == severity)
        .sorted(
            Comparator.comparingInt(SettingsProblem::line)
                .thenComparingInt(SettingsProblem::column))
        .toList();
  }
}
