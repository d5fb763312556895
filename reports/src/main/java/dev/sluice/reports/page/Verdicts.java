package dev.sluice.reports.page;

import dev.sluice.reports.Verdict;

/** How a verdict reads and looks: a word and a sign beside the colour. */
final class Verdicts {

  private Verdicts() {}

  static String word(Verdict verdict) {
    return switch (verdict) {
      case PASSED -> "passed";
      case FAILED -> "failed";
      case REPORTED -> "measured only";
      case SKIPPED -> "not run here";
    };
  }

  /** The CSS class. */
  static String style(Verdict verdict) {
    return switch (verdict) {
      case PASSED -> "passed";
      case FAILED -> "failed";
      case REPORTED -> "reported";
      case SKIPPED -> "skipped";
    };
  }

  static String sign(Verdict verdict) {
    return switch (verdict) {
      case PASSED -> "✓";
      case FAILED -> "✕";
      case REPORTED -> "≈";
      case SKIPPED -> "–";
    };
  }

  /** Failed first. */
  static int order(Verdict verdict) {
    return switch (verdict) {
      case FAILED -> 0;
      case SKIPPED -> 1;
      case REPORTED -> 2;
      case PASSED -> 3;
    };
  }

  static String mark(Verdict verdict) {
    return "<span class=\"mark %s\" role=\"img\" aria-label=\"%s\">%s</span>"
        .formatted(style(verdict), word(verdict), sign(verdict));
  }
}
