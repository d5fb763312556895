package dev.sluice.reports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The verdicts of all gates that left a report, a line each, by name. */
public final class GateTable {

  private GateTable() {}

  /** Prints it; the one argument is the folder of the repository. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException("arguments: " + args.length + " (expected: the root)");
    }
    System.out.print(of(ReportFolder.of(Path.of(args[0]))));
  }

  /** Of the reports in this folder. */
  static String of(Path folder) throws IOException {
    List<GateReport> reports = ReportFolder.read(folder);
    if (reports.isEmpty()) {
      return "gates: none left a report in " + folder + "\n";
    }
    int width = reports.stream().mapToInt(report -> report.name().length()).max().orElse(1);
    StringBuilder table = new StringBuilder();
    for (GateReport report : reports) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-8s  %-" + width + "s  %6.1f s  %s%n",
              report.verdict(),
              report.name(),
              report.durationMillis() / 1e3,
              figures(report)));
    }
    return table + "gates: " + counts(reports) + "\n";
  }

  private static String figures(GateReport report) {
    String measured = join(report.measured());
    String control = report.control().isEmpty() ? "" : "; control: " + join(report.control());
    String reason = report.reason().isEmpty() ? "" : "; " + report.reason();
    String all = measured + control + reason;
    return all.startsWith("; ") ? all.substring(2) : all;
  }

  private static String join(Map<String, Object> figures) {
    return figures.entrySet().stream()
        .map(figure -> figure.getKey() + " " + figure.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String counts(List<GateReport> reports) {
    return Stream.of(Verdict.values())
        .map(
            verdict ->
                reports.stream().filter(report -> report.verdict() == verdict).count()
                    + " "
                    + verdict.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
