package dev.sluice.cli;

import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.SlowOrigin;
import java.io.PrintWriter;

/** The demo's table: what clients have, and what the origin counts, as it happens. */
final class DemoTable {

  private final PrintWriter out;
  private final SlowOrigin origin;

  DemoTable(PrintWriter out, SlowOrigin origin) {
    this.out = out;
    this.origin = origin;
  }

  void head() {
    out.printf(
        "%-15s %7s %9s %7s   %s%n", "", "time", "answered", "failed", "at the origin: now, peak");
    out.flush();
  }

  void row(String how, int answered, int failed, double seconds) {
    OriginStats stats = origin.stats();
    out.printf(
        "%-15s %6.1fs %9d %7d   %21d %4d%n",
        how, seconds, answered, failed, stats.inFlight(), stats.peakInFlight());
    out.flush();
  }

  void verdict(
      Demo.Outcome direct, long directPeak, Demo.Outcome governed, long peak, int ceiling) {
    out.printf(
        "%nThe origin's own peak: %d directly, %d through Sluice (ceiling %d).%n"
            + "It took %.1f s directly and %.1f s through Sluice: bounding makes a burst slower on%n"
            + "purpose; what it buys is an origin that never has more than %d renders at once.%n",
        directPeak, peak, ceiling, direct.seconds(), governed.seconds(), ceiling);
    out.flush();
  }
}
