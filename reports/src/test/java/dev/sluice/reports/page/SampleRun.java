package dev.sluice.reports.page;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.reports.Gate;
import dev.sluice.reports.Point;
import dev.sluice.reports.ReportFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A small run with a gate of each verdict, all kinds of charts, and names that test the page. */
final class SampleRun {
  private final Path root;

  SampleRun(Path root) {
    this.root = root;
  }

  /** The folder of its reports. */
  Path folder() {
    return ReportFolder.of(root);
  }

  Suite suite() throws IOException {
    return new Suite("2026-11-30T12:00:00Z", ReportFolder.read(folder()), List.of());
  }

  SampleRun withAll() {
    return passed("ceiling", 10)
        .failed("queue-full")
        .reported("admission-two-loops")
        .skipped("next");
  }

  SampleRun passed(String name, int peak) {
    Gate.claim(name, "The origin's own peak is the ceiling.", root)
        .given("crowd", 60)
        .given("page", "1 s")
        .judge(
            gate -> {
              gate.control("origin_peak", 60, exactly(60));
              gate.measured("origin_peak", peak, atMost(10));
              gate.measured("answered_after_millis", 1_234.5, between(1_000, 2_000));
              gate.measured("grown_bytes", 12_582_912, atMost(16 << 20));
              gate.series("in flight at the origin", "requests", "governed", wave(10));
              gate.controlSeries("in flight at the origin", "requests", "direct", wave(60));
              gate.limit("in flight at the origin", "ceiling", 10);
              gate.percentiles("latency", "ms", "governed", samples(120));
              gate.controlPercentiles("latency", "ms", "direct", samples(9_000));
              gate.bar("CPU for a hit", "µs", "sluice", 11.2);
              gate.controlBar("CPU for a hit", "µs", "nginx", 17.4);
              gate.controlBar("CPU for a hit", "µs", "varnish", 21);
            });
    return this;
  }

  SampleRun failed(String name) {
    try {
      Gate.claim(name, "Behind a full queue <the next> is shed & \"told\" at once.", root)
          .given("a_parameter_of_a_very_long_name_without_any_place_to_break_it", "x".repeat(90))
          .judge(
              gate -> {
                gate.control("answered_after_millis", 6_377, above(1_000));
                gate.measured("answered_after_millis", 812, atMost(500));
              });
    } catch (AssertionError broken) {
      // What it is for.
    }
    return this;
  }

  SampleRun reported(String name) {
    Gate.claim(name, "Two loops at one admission.", root)
        .judge(gate -> gate.measured("turn_nanos", 17.25));
    return this;
  }

  SampleRun skipped(String name) {
    Gate.claim(name, "A Next.js application, governed.", root)
        .skip("node 20.9 or later is not installed", Function.identity());
    return this;
  }

  private static List<Point> wave(int height) {
    return IntStream.range(0, 100)
        .mapToObj(i -> new Point(i / 20.0, height * Math.abs(Math.sin(i / 15.0))))
        .toList();
  }

  private static double[] samples(int largest) {
    return IntStream.rangeClosed(1, 1_000).mapToDouble(i -> largest * i / 1_000.0).toArray();
  }
}
