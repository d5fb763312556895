package dev.sluice.config;

import dev.sluice.config.SettingsProblem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Gathers what is wrong with one file, so that one run tells all. Confined to one reading. */
final class Problems {

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|[\\x80-\\x9f]");

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
            severity,
            file,
            spot.line(),
            spot.column(),
            oneLine(keyPath),
            oneLine(message),
            oneLine(suggestion)));
  }

  /** The text with its control characters written out, so that it cannot leave its line. */
  static String oneLine(String text) {
    return CONTROL.matcher(text).replaceAll(match -> written(match.group().charAt(0)));
  }

  private static String written(char control) {
    return switch (control) {
      case '\n' -> "\\\\n";
      case '\t' -> "\\\\t";
      default -> "\\\\x%02x".formatted((int) control);
    };
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
