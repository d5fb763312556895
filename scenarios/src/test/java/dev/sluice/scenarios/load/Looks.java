package dev.sluice.scenarios.load;

import dev.sluice.reports.Point;
import dev.sluice.reports.Sampler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Numbers that are looked at again and again beside a run, by name. Confined to the test's thread.
 */
final class Looks implements AutoCloseable {

  /** What is looked at. */
  record What(String name, Duration pause, Callable<? extends Number> number) {}

  private final long beganMillis = System.currentTimeMillis();
  private final Map<String, Sampler> samplers = new LinkedHashMap<>();

  private Looks() {}

  static Looks at(List<What> numbers) {
    var looks = new Looks();
    numbers.forEach(
        what -> looks.samplers.put(what.name(), Sampler.every(what.pause(), what.number())));
    return looks;
  }

  /** What was seen from that moment of the wall clock on, in seconds since it. */
  Map<String, List<Point>> since(long millis) {
    double offset = (millis - beganMillis) / 1e3;
    Map<String, List<Point>> seen = new LinkedHashMap<>();
    samplers.forEach((name, sampler) -> seen.put(name, shifted(sampler.points(), offset)));
    return seen;
  }

  private static List<Point> shifted(List<Point> points, double offset) {
    return points.stream()
        .filter(point -> point.x() >= offset)
        .map(point -> new Point(point.x() - offset, point.y()))
        .toList();
  }

  @Override
  public void close() {
    samplers.values().forEach(Sampler::close);
  }
}
