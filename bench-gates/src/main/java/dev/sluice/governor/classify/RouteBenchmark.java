package dev.sluice.governor.classify;

import dev.sluice.bench.journey.Example;
import dev.sluice.bench.journey.Requests;
import dev.sluice.http.RequestHead;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to find a request's route in the example's table, and to classify it whole. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RouteBenchmark {

  private static final String NAMED_BY_NOBODY = "/about/the-company";

  private final ClassifySettings settings = new Example().settings().classify();
  private final RouteTable routes = new RouteTable(settings.routes());
  private final Classifier classifier = new Classifier(settings);
  private final RequestHead browser = Requests.head(Requests.browser(Example.PRODUCT));
  private final RequestHead prefetch = Requests.head(Requests.prefetch(Example.PRODUCT));

  @Benchmark
  public Route named() {
    return routes.find(Example.PRODUCT);
  }

  @Benchmark
  public Route catchAll() {
    return routes.find(NAMED_BY_NOBODY);
  }

  /** The whole classification of a browser's document. */
  @Benchmark
  public Classification browser() {
    return classifier.classify(browser);
  }

  /** The same of what the framework's client asks for. */
  @Benchmark
  public Classification prefetch() {
    return classifier.classify(prefetch);
  }
}
