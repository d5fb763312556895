package dev.sluice;

import dev.sluice.bench.journey.BenchmarkLoop;
import dev.sluice.bench.journey.Example;
import dev.sluice.bench.journey.Page;
import dev.sluice.bench.journey.Requests;
import dev.sluice.bench.journey.Sink;
import dev.sluice.config.Settings;
import dev.sluice.flow.ByteBudget;
import dev.sluice.governor.Ceilings;
import dev.sluice.governor.Governor;
import dev.sluice.governor.GovernorContext;
import dev.sluice.governor.fetch.Names;
import dev.sluice.governor.fetch.OriginPool;
import dev.sluice.governor.fetch.Upstreams;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.http.RequestHead;
import dev.sluice.net.IpAddress;
import dev.sluice.observe.AccessLog;
import dev.sluice.observe.Observer;
import dev.sluice.time.Suspension;
import dev.sluice.time.Ticker;
import dev.sluice.time.WallClock;
import dev.sluice.wire.Caller;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.ClientHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What a hit costs from the bytes of its request to those of its answer: the engine's own pipeline
 * and governor around a channel without a socket. It stands in the root package because that alone
 * sees everything.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HitPathBenchmark {

  private static final int HEAD_BYTES_MIN = 64;
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final BenchmarkLoop loop = new BenchmarkLoop();
  private final ByteBuf wrk = direct(Requests.wrk(Example.PRODUCT));
  private final ByteBuf browser = direct(Requests.browser(Example.PRODUCT));
  private final Sink sink = new Sink();
  private final EmbeddedChannel proxy = new EmbeddedChannel(sink, handler());
  private final EmbeddedChannel decoder =
      new EmbeddedChannel(new HttpRequestDecoder(), new Release());
  private final EmbeddedChannel bare = new EmbeddedChannel(new Release());

  private static ByteBuf direct(String request) {
    byte[] octets = Requests.octets(request);
    return Unpooled.directBuffer(octets.length).writeBytes(octets);
  }

  /** A proxy of one loop that has the example's page for both requests. */
  private ChannelHandler handler() {
    var example = new Example();
    Settings settings = example.settings();
    Ticker ticker = Ticker.system();
    WallClock wall = WallClock.system();
    var cache = new ResponseCache(settings.reuse().cache().maxMemory(), Runnable::run);
    try {
      var upstreams = new Upstreams(settings.fetch(), ticker, Names.system());
      GovernorContext governor = governor(settings, upstreams, cache, ticker, wall);
      var pool =
          new OriginPool(
              loop,
              ticker,
              (address, owner, connected) -> {
                throw new IllegalStateException("the origin was asked (expected: a hit)");
              },
              upstreams,
              settings::fetch,
              settings::wire,
              new CopyOnWriteArrayList<>());
      var observer = new Observer(1, new AccessLog("none", wall));
      var context =
          new ClientContext(
              loop,
              new ClientContext.Clocks(ticker, wall),
              settings::wire,
              new ByteBudget(settings.wire().requestMemory()),
              new Governor(governor, loop, pool, observer.forLoop(0)),
              () -> false);
      keep(example, Requests.wrk(Example.PRODUCT), cache);
      keep(example, Requests.browser(Example.PRODUCT), cache);
      return new ClientHandler(context, new Caller(IpAddress.of(LOOPBACK), false));
    } catch (IOException e) {
      throw new IllegalStateException("the example was not compiled", e);
    }
  }

  private static GovernorContext governor(
      Settings settings, Upstreams upstreams, ResponseCache cache, Ticker ticker, WallClock wall)
      throws IOException {
    return new GovernorContext(
        Compiler.compile(settings, 1),
        Ceilings.of(settings.admit(), settings.classify().routes(), ticker),
        upstreams,
        new GovernorContext.Memory(cache, new ByteBudget(settings.spool().maxMemory())),
        new GovernorContext.Clocks(ticker, wall, new Suspension(ticker, wall)));
  }

  private static void keep(Example example, String request, ResponseCache cache) {
    RequestHead head = Requests.head(request);
    if (!example.store(head, Example.encode(Requests.rendered("")), Page.whole(), cache)) {
      throw new IllegalStateException(request + ": not kept (expected: room for it)");
    }
  }

  /** Where messages end. */
  private static final class Release extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }
  }

  /** The thread of this iteration is the loop's. */
  @Setup(Level.Iteration)
  public void adopt() {
    loop.adopt();
  }

  @Benchmark
  public long wrk() {
    return hit(wrk);
  }

  @Benchmark
  public long browser() {
    return hit(browser);
  }

  private long hit(ByteBuf request) {
    long due = sink.bytes() + Example.PAGE_BYTES + HEAD_BYTES_MIN;
    proxy.writeInbound(request.retainedDuplicate());
    if (sink.bytes() < due) {
      throw new IllegalStateException("written: " + sink.bytes() + " (expected: >= " + due + ")");
    }
    return sink.bytes();
  }

  /** The yardstick: Netty's decoder alone on the same bytes. */
  @Benchmark
  public boolean nettyDecoderOnBrowser() {
    return decoder.writeInbound(browser.retainedDuplicate());
  }

  /** What the channel without a socket takes by itself, in each of the above. */
  @Benchmark
  public boolean channelAlone() {
    return bare.writeInbound(browser.retainedDuplicate());
  }
}
