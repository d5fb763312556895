package dev.sluice.soak;

import dev.sluice.reports.Point;
import dev.sluice.soak.trend.Trend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What must not grow in a process that runs for long, over time. Confined to one thread. */
final class Vitals implements AutoCloseable {

  /** What is measured, and how much it may differ by the end of any time. */
  enum Sign {
    /** Live objects; the pools' and the compiler's own are still settling after a warm-up. */
    HEAP("heap after collection", "MiB", 3),
    /** Netty's arenas grow by chunks of 4 MiB. */
    DIRECT("direct memory", "MiB", 12),
    DESCRIPTORS("descriptors", "", 10),
    THREADS("threads", "", 2);

    private final String text;
    private final String unit;
    private final double allowance;

    Sign(String text, String unit, double allowance) {
      this.text = text;
      this.unit = unit;
      this.allowance = allowance;
    }

    String text() {
      return text;
    }

    String unit() {
      return unit;
    }

    /** In its unit. */
    double allowance() {
      return allowance;
    }
  }

  private static final double MIB = 1 << 20;

  private final long beganNanos = System.nanoTime();
  private final SoakStack stack;
  private final LiveHeap heap;
  private final Map<Sign, List<Point>> seen = new EnumMap<>(Sign.class);

  Vitals(SoakStack stack) throws IOException {
    this.stack = stack;
    this.heap = LiveHeap.of(stack.sluice().process().pid());
    for (Sign sign : Sign.values()) {
      seen.put(sign, new ArrayList<>());
    }
  }

  /** Measures all of them once. */
  void look() {
    add(Sign.HEAP, heap.bytes() / MIB);
    add(Sign.DIRECT, stack.account().directBytes() / MIB);
    add(Sign.DESCRIPTORS, stack.openFiles());
    add(Sign.THREADS, stack.sluice().process().threads());
  }

  private void add(Sign sign, double value) {
    points(sign).add(Point.since(beganNanos, value));
  }

  List<Point> points(Sign sign) {
    return seen.getOrDefault(sign, List.of());
  }

  Trend trend(Sign sign) {
    return Trend.of(points(sign));
  }

  boolean grows(Sign sign) {
    return trend(sign).growsBy(sign.allowance());
  }

  @Override
  public void close() throws IOException {
    heap.close();
  }
}
