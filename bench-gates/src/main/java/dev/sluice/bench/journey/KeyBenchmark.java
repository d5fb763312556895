package dev.sluice.bench.journey;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.reuse.Selection;
import dev.sluice.http.RequestHead;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to judge whether a request may share, and to render its key. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyBenchmark {

  private final Example example = new Example();
  private final RequestHead wrk = Requests.head(Requests.wrk(Example.PRODUCT));
  private final RequestHead browser = Requests.head(Requests.browser(Example.PRODUCT));
  private final RequestHead prefetch = Requests.head(Requests.prefetch(Example.PRODUCT));
  private final Classified ofWrk = example.classify(wrk);
  private final Classified ofBrowser = example.classify(browser);
  private final Classified ofPrefetch = example.classify(prefetch);

  @Benchmark
  public Selection wrk() {
    return example.select(wrk, ofWrk);
  }

  @Benchmark
  public Selection browser() {
    return example.select(browser, ofBrowser);
  }

  /** With the framework's fields, and a digest of them to be checked. */
  @Benchmark
  public Selection prefetch() {
    return example.select(prefetch, ofPrefetch);
  }
}
