package dev.sluice.wire.accept;

import dev.sluice.flow.ByteBudget;
import dev.sluice.net.BindFailure;
import dev.sluice.net.EventLoops;
import dev.sluice.net.Listener;
import dev.sluice.net.NetLoop;
import dev.sluice.net.NetSettings;
import dev.sluice.time.Ticker;
import dev.sluice.time.WallClock;
import dev.sluice.wire.RequestSink;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.ClientHandler;
import dev.sluice.wire.http2.Http2Census;
import dev.sluice.wire.http2.Http2Context;
import io.netty.channel.ChannelHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The traffic listener: HTTP/1.1 and HTTP/2 from clients, on every loop. Thread-safe. */
public final class HttpListener {

  private static final Logger log = LoggerFactory.getLogger(HttpListener.class);

  private final NetSettings net;
  private final EventLoops loops;
  private final Listener listener;
  private final List<ClientContext> contexts = new ArrayList<>();
  private final Http2Census census = new Http2Census();
  private volatile boolean draining;

  /**
   * Nothing is bound yet.
   *
   * @param settings those in force, asked anew for each connection
   * @param requestMemory what held request bytes are charged to
   * @param sinks the governor of each loop
   */
  public HttpListener(
      NetSettings net,
      EventLoops loops,
      Supplier<WireSettings> settings,
      ByteBudget requestMemory,
      Function<NetLoop, RequestSink> sinks,
      Ticker ticker,
      WallClock wall) {
    this.net = net;
    this.loops = loops;
    var clocks = new ClientContext.Clocks(ticker, wall);
    for (NetLoop loop : loops.all()) {
      contexts.add(
          new ClientContext(
              loop, clocks, settings, requestMemory, sinks.apply(loop), () -> draining));
    }
    this.listener =
        new Listener(
            loops,
            net.balance(),
            net.maxConnections(),
            (channel, loop) -> channel.pipeline().addLast(first(contexts.get(loop.index()))));
  }

  /** Who takes a cleartext connection's bytes first (PRX-04). */
  private ChannelHandler first(ClientContext context) {
    return context.settings().h2c()
        ? new PrefaceHandler(new Http2Context(context, census))
        : new ClientHandler(context);
  }

  /** What is counted of HTTP/2. */
  public Http2Census census() {
    return census;
  }

  /**
   * Binds and starts to accept; returns the port.
   *
   * @throws BindFailure in one line
   */
  public int bind() throws BindFailure {
    return listener.bind(net.listen());
  }

  /** Client connections that are open now. */
  public int connections() {
    return listener.connections();
  }

  /** Stops accepting; busy connections close behind their answer, idle ones now. */
  public void drain() {
    listener.close();
    draining = true;
    onEachLoop(ClientContext::drain);
  }

  /** Cuts every connection that is left. */
  public void kill() {
    onEachLoop(ClientContext::kill);
  }

  private void onEachLoop(java.util.function.Consumer<ClientContext> action) {
    for (NetLoop loop : loops.all()) {
      ClientContext context = contexts.get(loop.index());
      try {
        loop.execute(() -> action.accept(context));
      } catch (RejectedExecutionException e) {
        log.debug("loop {} has ended, and its connections with it", loop.index());
      }
    }
  }
}
