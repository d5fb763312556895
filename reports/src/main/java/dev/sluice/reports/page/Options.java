package dev.sluice.reports.page;

import dev.sluice.reports.ReportFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for. Immutable.
 *
 * @param gates the folder of the gates' reports
 * @param out the folder for what is made of them
 * @param against joined gates of an earlier run
 * @param share from which change on a figure is told, as a share
 * @param root the repository whose tests' reports are read too
 * @param exitCode whether a failed gate is told by the exit status
 */
record Options(
    Path gates,
    Path out,
    @Nullable Path against,
    double share,
    @Nullable Path root,
    boolean exitCode,
    boolean help) {

  static final String HELP =
      """
      Joins the reports of gates into gates.json, index.html and summary.md.

      Usage: Report [options] [FOLDER]

        FOLDER              holds one JSON file for each gate; without it where --root has them
        --root FOLDER       the repository: tests that failed without a report are told too
        --out FOLDER        where the three files go; without it beside the reports
        --against FILE      the gates.json of an earlier run: prints what changed, and shows it
        --share PERCENT     a figure that changed by more is told; without it 25
        --exit-code         exit with 1 when a gate failed, passed before and does not now, or is gone
        --help              prints this

      Exit status: 0 made; 1 see --exit-code; 2 the arguments or the files are wrong.
      """;

  private static final double SHARE = 25;

  /** An {@code IllegalArgumentException} says what is wrong. */
  static Options parse(String... args) {
    Path gates = null;
    Path out = null;
    Path against = null;
    Path root = null;
    double percent = SHARE;
    boolean exitCode = false;
    boolean help = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--out" -> out = Path.of(value(args, i++));
        case "--against" -> against = Path.of(value(args, i++));
        case "--root" -> root = Path.of(value(args, i++));
        case "--share" -> percent = percent(value(args, i++));
        case "--exit-code" -> exitCode = true;
        case "--help", "-h" -> help = true;
        default -> gates = folder(args[i], gates);
      }
    }
    if (gates == null && root == null && !help) {
      throw new IllegalArgumentException("no folder (expected: the folder of the gates' reports)");
    }
    Path usual = root == null ? Path.of("") : ReportFolder.of(root);
    Path folder = gates == null ? usual : gates;
    return new Options(
        folder, out == null ? folder : out, against, percent / 100, root, exitCode, help);
  }

  private static Path folder(String arg, @Nullable Path before) {
    if (arg.startsWith("-")) {
      throw new IllegalArgumentException(arg + ": no such option");
    }
    if (before != null) {
      throw new IllegalArgumentException(arg + ": a second folder (expected: one)");
    }
    return Path.of(arg);
  }

  private static String value(String[] args, int option) {
    if (option + 1 >= args.length) {
      throw new IllegalArgumentException(args[option] + ": no value");
    }
    return args[option + 1];
  }

  private static double percent(String text) {
    try {
      double percent = Double.parseDouble(text);
      if (percent >= 0) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException("--share: " + text + " (expected: a percentage)");
  }
}
