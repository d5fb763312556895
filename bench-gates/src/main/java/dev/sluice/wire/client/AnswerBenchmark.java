package dev.sluice.wire.client;

import dev.sluice.bench.journey.Example;
import dev.sluice.bench.journey.Page;
import dev.sluice.bench.journey.Requests;
import dev.sluice.bench.journey.Sink;
import dev.sluice.flow.ByteBudget;
import dev.sluice.flow.StoredBody;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.HopByHop;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.time.WallClock;
import dev.sluice.wire.ResponseOut;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to write an answer's head to a client, and to encode one for the store. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AnswerBenchmark {

  private static final byte[] NOTHING_ADDED = {};
  private static final long AGE_SECONDS = 17;

  private final Sink sink = new Sink();
  private final ChannelInboundHandlerAdapter end = new ChannelInboundHandlerAdapter();
  private final EmbeddedChannel channel = new EmbeddedChannel(sink, end);
  private final ClientAnswer answer =
      new ClientAnswer(channel.pipeline().context(end), new DateLine(WallClock.system()));
  private final RequestHead request = Requests.head(Requests.browser(Example.PRODUCT));
  private final ResponseHead origins = Requests.prerendered(Example.PAGE_BYTES);
  private final ResponseOut relayed =
      new ResponseOut(
          origins,
          HopByHop.FIELDS,
          HopByHop.connectionNames(origins.headers()),
          NameSet.EMPTY,
          NOTHING_ADDED);
  private final EncodedHead encoded = Example.encode(origins);
  private final StoredBody body =
      Page.whole().store(new ByteBudget(Example.PAGE_BYTES), Example.PAGE_BYTES);

  /** An origin's head, field by field; its body follows by itself. */
  @Benchmark
  public long relayed() {
    answer.expect(request);
    answer.head(relayed);
    return sink.bytes();
  }

  /** A stored answer, head and body. */
  @Benchmark
  public long stored() {
    answer.expect(request);
    answer.stored(encoded, AGE_SECONDS, NOTHING_ADDED, body);
    return sink.bytes();
  }

  /** Once for each answer that is kept: written, and read again. */
  @Benchmark
  public EncodedHead encodedForTheStore() {
    return Example.encode(origins);
  }
}
