package dev.sluice.wire.accept;

import dev.sluice.flow.ByteBudget;
import dev.sluice.net.BindFailure;
import dev.sluice.net.EventLoops;
import dev.sluice.net.IpAddress;
import dev.sluice.net.Listener;
import dev.sluice.net.NetLoop;
import dev.sluice.net.NetSettings;
import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.ProxyHeader.Source;
import dev.sluice.net.tls.Alpn;
import dev.sluice.net.tls.HandshakeGate;
import dev.sluice.net.tls.ServerTls;
import dev.sluice.net.tls.TlsFault;
import dev.sluice.time.Ticker;
import dev.sluice.time.WallClock;
import dev.sluice.wire.Caller;
import dev.sluice.wire.RequestSink;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.ClientHandler;
import dev.sluice.wire.http2.Http2Census;
import dev.sluice.wire.http2.Http2Context;
import dev.sluice.wire.http2.Http2Handler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The traffic listeners, clear text and TLS: what a new connection is, on every loop. Thread-safe.
 */
public final class HttpListener {

  private static final Logger log = LoggerFactory.getLogger(HttpListener.class);

  private final NetSettings net;
  private final @Nullable ServerTls tls;
  private final Ticker ticker;
  private final Listener listener;
  private final List<Door> doors = new ArrayList<>();
  private final ArrivalCounts arrivals = new ArrivalCounts();
  private final Http2Census census = new Http2Census();
  private volatile boolean draining;

  /** One loop's part of it. */
  private record Door(NetLoop loop, ClientContext context, Newcomers newcomers) {}

  /**
   * Nothing is bound yet.
   *
   * @param tls what the TLS listener presents; null = there is none
   * @param settings those in force, asked anew for each connection
   * @param requestMemory what held request bytes are charged to
   * @param sinks the governor of each loop
   */
  public HttpListener(
      NetSettings net,
      @Nullable ServerTls tls,
      EventLoops loops,
      Supplier<WireSettings> settings,
      ByteBudget requestMemory,
      Function<NetLoop, RequestSink> sinks,
      Ticker ticker,
      WallClock wall) {
    this.net = net;
    this.tls = tls;
    this.ticker = ticker;
    var clocks = new ClientContext.Clocks(ticker, wall);
    for (NetLoop loop : loops.all()) {
      var context =
          new ClientContext(
              loop, clocks, settings, requestMemory, sinks.apply(loop), () -> draining);
      doors.add(new Door(loop, context, new Newcomers()));
    }
    this.listener = new Listener(loops, net.balance(), net.maxConnections());
  }

  /** Who takes a cleartext connection's bytes first (PRX-04). */
  private ChannelHandler cleartext(Door door, Caller caller) {
    return door.context().settings().h2c()
        ? new PrefaceHandler(new Http2Context(door.context(), census), caller)
        : new ClientHandler(door.context(), caller);
  }

  /** What is counted of HTTP/2. */
  public Http2Census census() {
    return census;
  }

  /**
   * The protocols that ALPN offers.
   *
   * @param h2 whether HTTP/2 is wanted
   */
  public static List<String> protocols(boolean h2) {
    return h2 ? Alpn.BOTH : Alpn.ONLY_HTTP_1;
  }

  /**
   * Binds the clear-text listener and starts to accept; returns the port.
   *
   * @throws BindFailure in one line
   */
  public int bind() throws BindFailure {
    return listener.bind(net.listen(), this::accepted);
  }

  /**
   * Binds the TLS listener and starts to accept; returns the port, 0 where there is none.
   *
   * @throws BindFailure in one line
   */
  public int bindTls() throws BindFailure {
    Address address = net.tlsListen();
    ServerTls presented = tls;
    return address == null || presented == null
        ? 0
        : listener.bind(address, (channel, loop) -> acceptedTls(channel, loop, presented));
  }

  /** Client connections that are open now. */
  public int connections() {
    return listener.connections();
  }

  /** Stops accepting; busy connections close behind their answer, idle ones now. */
  public void drain() {
    listener.close();
    draining = true;
    onEachLoop(
        door -> {
          door.newcomers().closeAll();
          door.context().drain();
        });
  }

  /** Cuts every connection that is left. */
  public void kill() {
    onEachLoop(door -> door.context().kill());
  }

  private void accepted(Channel channel, NetLoop loop) {
    if (net.proxyProtocol()) {
      channel.pipeline().addLast(new ProxyStart(door(loop)));
      return;
    }
    var caller = new Caller(Caller.addressOf(channel.remoteAddress()), false);
    channel.pipeline().addLast(cleartext(door(loop), caller));
  }

  private void acceptedTls(Channel channel, NetLoop loop, ServerTls presented) {
    channel.pipeline().addLast(new TlsStart(door(loop), presented));
  }

  /** The handshake is done: what speaks here from now on goes behind {@code ctx}'s handler. */
  private void protocolChosen(
      ChannelHandlerContext ctx, Door door, Caller caller, String protocol) {
    switch (protocol) {
      case Alpn.HTTP_1 -> ctx.pipeline().addLast(new ClientHandler(door.context(), caller));
      case Alpn.HTTP_2 ->
          ctx.pipeline()
              .addLast(Http2Handler.serving(new Http2Context(door.context(), census), caller));
      default -> throw new IllegalStateException("ALPN: " + protocol + " was not offered");
    }
  }

  /** What became of new connections. */
  public ArrivalCounts arrivals() {
    return arrivals;
  }

  private Door door(NetLoop loop) {
    return doors.get(loop.index());
  }

  private void onEachLoop(Consumer<Door> action) {
    for (Door door : doors) {
      try {
        door.loop().execute(() -> action.accept(door));
      } catch (RejectedExecutionException e) {
        log.debug("loop {} has ended, and its connections with it", door.loop().index());
      }
    }
  }

  /** Begins the handshake of one connection, on its own loop. */
  private final class TlsStart extends ChannelInitializer<Channel>
      implements HandshakeGate.Outcome {

    private final Door door;
    private final ServerTls presented;
    private Channel channel;

    // channel is set in initChannel, before anything else can happen here.
    @SuppressWarnings("NullAway.Init")
    TlsStart(Door door, ServerTls presented) {
      this.door = door;
      this.presented = presented;
    }

    @Override
    protected void initChannel(Channel accepted) {
      channel = accepted;
      door.newcomers().add(channel);
      long timeoutNanos = door.context().settings().clientHeader().toNanos();
      var gate = new HandshakeGate(door.loop(), ticker, timeoutNanos, this);
      // The gate first: it must hear of a handshake that fails at once.
      channel.pipeline().addLast(gate).addFirst(presented.newHandler(channel.alloc()));
    }

    @Override
    public void shaken(ChannelHandlerContext ctx, String protocol) {
      door.newcomers().remove(channel);
      arrivals.handshake();
      if (draining) {
        ctx.close();
        return;
      }
      var caller = new Caller(Caller.addressOf(channel.remoteAddress()), true);
      protocolChosen(ctx, door, caller, protocol);
    }

    @Override
    public void failed(TlsFault fault) {
      door.newcomers().remove(channel);
      arrivals.fault(fault.kind());
      log.debug("TLS handshake of {} failed: {}", channel.remoteAddress(), fault);
    }
  }

  /** Begins a connection that must say first whose it is, on its own loop. */
  private final class ProxyStart extends ChannelInitializer<Channel>
      implements ProxyHeaderHandler.Outcome {

    private final Door door;
    private Channel channel;

    // channel is set in initChannel, before anything else can happen here.
    @SuppressWarnings("NullAway.Init")
    ProxyStart(Door door) {
      this.door = door;
    }

    @Override
    protected void initChannel(Channel accepted) {
      channel = accepted;
      door.newcomers().add(channel);
      IpAddress proxy = Caller.addressOf(channel.remoteAddress());
      WireSettings settings = door.context().settings();
      if (proxy == null || !settings.trust().trusts(proxy)) {
        refused("its sender is not in server.trusted_proxies.from");
        channel.close();
        return;
      }
      long timeoutNanos = settings.clientHeader().toNanos();
      channel.pipeline().addLast(new ProxyHeaderHandler(door.loop(), ticker, timeoutNanos, this));
    }

    @Override
    public void told(ChannelHandlerContext ctx, Source source) {
      door.newcomers().remove(channel);
      IpAddress told = source.address();
      IpAddress address = told == null ? Caller.addressOf(channel.remoteAddress()) : told;
      ctx.pipeline().addLast(cleartext(door, new Caller(address, false)));
    }

    @Override
    public void refused(String why) {
      door.newcomers().remove(channel);
      arrivals.proxyRefusal();
      log.debug("PROXY header from {} refused: {}", channel.remoteAddress(), why);
    }
  }
}
