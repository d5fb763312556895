package dev.sluice.scenarios.load;

import dev.sluice.reports.Point;
import dev.sluice.scenarios.simulation.Sample;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the clients of a run saw, in the order of asking. Immutable. */
record Samples(List<Sample> all) {

  /** The kind of those before the arrivals that count. */
  static final String WARM_UP = "warm-up";

  private static final long BUCKET_MILLIS = 500;

  Samples {
    all = List.copyOf(all);
  }

  static Samples read(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return new Samples(
          lines
              .map(Sample::parse)
              .sorted((one, other) -> Long.compare(one.beganMillis(), other.beganMillis()))
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException("samples in " + file, e);
    }
  }

  Samples where(Predicate<Sample> wanted) {
    return new Samples(all.stream().filter(wanted).toList());
  }

  Samples kind(String kind) {
    return where(sample -> sample.kind().equals(kind));
  }

  Samples otherThan(String kind) {
    return where(sample -> !sample.kind().equals(kind));
  }

  Samples status(int status) {
    return where(sample -> sample.status() == status);
  }

  Samples ok() {
    return where(Sample::isOk);
  }

  /** Those that got no whole answer in the time a client waits. */
  Samples timedOut(double patienceMillis) {
    return status(0).where(sample -> sample.tookMillis() >= 0.95 * patienceMillis);
  }

  long count() {
    return all.size();
  }

  /** What was asked for without its query, as the slow origin names it. */
  Set<String> paths() {
    return all.stream()
        .map(sample -> new QueryStringDecoder(sample.target()).path())
        .collect(Collectors.toSet());
  }

  long distinct(Function<Sample, String> field) {
    return all.stream().map(field).distinct().count();
  }

  /** How often each value of a field came. */
  Map<String, Long> by(Function<Sample, String> field) {
    return all.stream().collect(Collectors.groupingBy(field, TreeMap::new, Collectors.counting()));
  }

  /** How often each status came; 0 = no whole answer. */
  Map<String, Long> statuses() {
    return by(sample -> "" + sample.status());
  }

  /** The smallest time in milliseconds that this percentage did not exceed; NaN without samples. */
  double percentile(double percent) {
    double[] sorted = millis();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return rounded(sorted[Math.max(rank, 1) - 1]);
  }

  /** In milliseconds; NaN without samples. */
  double average() {
    return rounded(Arrays.stream(millis()).average().orElse(Double.NaN));
  }

  double[] millis() {
    return all.stream().mapToDouble(Sample::tookMillis).toArray();
  }

  /** When the first was asked for, by the wall clock; 0 without samples. */
  long firstMillis() {
    return all.stream().mapToLong(Sample::beganMillis).min().orElse(0);
  }

  // Over time, in seconds since the first arrival of the run.

  /** The time that 95 of 100 of each half second's samples did not exceed. */
  List<Point> p95OverTime(long beganMillis) {
    return overTime(beganMillis, bucket -> bucket.percentile(95));
  }

  /** Answers that began in each half second, as a rate per second. */
  List<Point> rateOverTime(long beganMillis) {
    return overTime(beganMillis, bucket -> bucket.count() * 1e3 / BUCKET_MILLIS);
  }

  private List<Point> overTime(long beganMillis, ToDoubleFunction<Samples> value) {
    Map<Long, List<Sample>> buckets = new TreeMap<>();
    for (Sample sample : all) {
      long bucket = (sample.beganMillis() - beganMillis) / BUCKET_MILLIS;
      buckets.computeIfAbsent(bucket, unused -> new ArrayList<>()).add(sample);
    }
    List<Point> points = new ArrayList<>();
    buckets.forEach(
        (bucket, samples) ->
            points.add(
                new Point(
                    bucket * BUCKET_MILLIS / 1e3, value.applyAsDouble(new Samples(samples)))));
    return points;
  }

  private static double rounded(double millis) {
    return Math.round(millis * 10) / 10.0;
  }
}
