package dev.sluice.bench.journey;

import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.judge.Asked;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Sharing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What it costs to judge who may have an answer of Next.js; once for each render, never for a hit.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class JudgeBenchmark {

  private static final long RECEIVED_MILLIS = 1_796_040_000_000L;

  private final Example example = new Example();
  private final RequestHead request = Requests.head(Requests.browser(Example.PRODUCT));
  private final Asked asked = example.asked(request);
  private final SharePolicy policy = example.policy(request);
  private final ResponseHead prerendered = Requests.prerendered(Example.PAGE_BYTES);
  private final ResponseHead rendered = Requests.rendered("");
  private final ResponseHead withCookie =
      Requests.rendered("Set-Cookie: session=1; Path=/; HttpOnly\n");

  /** Shared by its own word. */
  @Benchmark
  public Sharing prerendered() {
    return Judge.share(asked, prerendered, policy, RECEIVED_MILLIS);
  }

  /** Shared because the operator vouches for it. */
  @Benchmark
  public Sharing overridden() {
    return Judge.share(asked, rendered, policy, RECEIVED_MILLIS);
  }

  /** Its asker's alone, whatever anybody says. */
  @Benchmark
  public Sharing withCookie() {
    return Judge.share(asked, withCookie, policy, RECEIVED_MILLIS);
  }
}
