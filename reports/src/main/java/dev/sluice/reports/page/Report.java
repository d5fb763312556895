package dev.sluice.reports.page;

import dev.sluice.reports.GateReport;
import dev.sluice.reports.ReportFolder;
import dev.sluice.reports.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command line: gates' reports in, one page, one file and a summary out. */
public final class Report {
  private static final int FAILED = 1;
  private static final int WRONG = 2;

  private Report() {}

  /** See {@code --help}. Ends the JVM only with a status other than 0. */
  public static void main(String... args) {
    int status = run(System.out, System.err, args);
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Returns the exit status. */
  static int run(PrintStream out, PrintStream err, String... args) {
    try {
      Options options = Options.parse(args);
      if (options.help()) {
        out.print(Options.HELP);
        return 0;
      }
      return make(options, out);
    } catch (IllegalArgumentException | IOException e) {
      err.println("report: " + e.getMessage());
      err.println("report: --help tells the options");
      return WRONG;
    }
  }

  private static int make(Options options, PrintStream out) throws IOException {
    if (!Files.isDirectory(options.gates()) && options.root() == null) {
      throw new IOException(options.gates() + ": no such folder");
    }
    // Read first: it may be the file that is about to be replaced.
    Suite earlier = options.against() == null ? null : Suite.read(options.against());
    Suite suite = suite(options);
    Comparison comparison = earlier == null ? null : Comparison.of(earlier, suite, options.share());
    Files.createDirectories(options.out());
    write(options, ReportFolder.JOINED, suite.toJson());
    write(options, "summary.md", Markdown.of(suite, comparison));
    Path page = write(options, "index.html", Page.of(suite, comparison));
    if (comparison != null) {
      out.print(ComparisonText.of(comparison));
    }
    out.print(failures(suite));
    out.println("report: " + suite.headline() + "; " + page);
    return options.exitCode() && isBad(suite, comparison) ? FAILED : 0;
  }

  /** Last on the console, where whoever sees only the end of a log finds them. */
  private static String failures(Suite suite) {
    StringBuilder text = new StringBuilder();
    for (GateReport gate : suite.with(Verdict.FAILED)) {
      text.append("failed: ").append(gate.name()).append(": ").append(gate.claim()).append('\n');
      text.append("  ").append(gate.reason()).append('\n');
    }
    for (FailedTest test : suite.unreported()) {
      text.append("failed: ").append(test.test()).append('\n');
      text.append("  ").append(test.reason()).append('\n');
    }
    return text.toString();
  }

  private static Suite suite(Options options) throws IOException {
    List<GateReport> gates = ReportFolder.read(options.gates());
    List<FailedTest> unreported =
        options.root() == null ? List.of() : FailedTests.in(options.root(), gates);
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    return new Suite(now, gates, unreported);
  }

  private static boolean isBad(Suite suite, @Nullable Comparison comparison) {
    return !suite.holds() || (comparison != null && comparison.hasRegression());
  }

  private static Path write(Options options, String name, String content) throws IOException {
    return Files.writeString(options.out().resolve(name), content);
  }
}
