package dev.sluice.reports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where the gates' reports lie, one file each. */
public final class ReportFolder {
  /** The one file there that is no gate's: all reports joined. */
  public static final String JOINED = "gates.json";

  private ReportFolder() {}

  /**
   * Of the repository in this folder: {@code target/gates}, or the folder that the environment
   * variable {@code BENCH_REPORT_DIR} names; a relative one begins at the repository's.
   */
  public static Path of(Path root) {
    String elsewhere = System.getenv().getOrDefault("BENCH_REPORT_DIR", "");
    return root.resolve(elsewhere.isEmpty() ? "target/gates" : elsewhere);
  }

  /** The reports in this folder by name; none where there is no folder. */
  public static List<GateReport> read(Path folder) throws IOException {
    List<GateReport> reports = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return reports;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(ReportFolder::isReport).sorted().toList()) {
        reports.add(parse(file));
      }
    }
    return reports;
  }

  private static GateReport parse(Path file) throws IOException {
    try {
      return GateReport.parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": not the report of a gate", e);
    }
  }

  private static boolean isReport(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".json") && !name.equals(JOINED);
  }
}
