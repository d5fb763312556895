package dev.sluice.wire.origin;

import dev.sluice.net.EventLoops;
import dev.sluice.net.NetLoop;
import dev.sluice.net.tls.Alpn;
import dev.sluice.net.tls.ClientTls;
import dev.sluice.net.tls.HandshakeGate;
import dev.sluice.net.tls.TlsFault;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.WireSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections to upstreams on one loop, and what they share. Confined to the loop. */
public final class OriginContext implements OriginConnector {

  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final Logger log = LoggerFactory.getLogger(OriginContext.class);

  private final EventLoops loops;
  private final NetLoop loop;
  private final Ticker ticker;
  private final Supplier<WireSettings> settings;
  private final ClientTls tls;
  private final @Nullable Negotiation negotiation;
  private boolean told;
  private long toldNanos;

  /** What is spoken behind a handshake in which more than HTTP/1.1 was offered. */
  public interface Negotiation {

    /** HTTP/1.1 was agreed on, or nothing was; false where that will not do. */
    boolean takesHttp1();

    /**
     * HTTP/2 was agreed on.
     *
     * @param current whether the policy under which it was is still the one in force
     */
    void http2(
        Channel channel,
        InetSocketAddress address,
        OriginOwner owner,
        Connected connected,
        BooleanSupplier current);
  }

  /** HTTP/1.1 alone; {@code tls}: how the origin is spoken to, which a reload may change. */
  public OriginContext(
      EventLoops loops,
      NetLoop loop,
      Ticker ticker,
      Supplier<WireSettings> settings,
      ClientTls tls) {
    this(loops, loop, ticker, settings, tls, null);
  }

  /** What {@code tls} offers and {@code negotiation} takes. */
  public OriginContext(
      EventLoops loops,
      NetLoop loop,
      Ticker ticker,
      Supplier<WireSettings> settings,
      ClientTls tls,
      @Nullable Negotiation negotiation) {
    this.negotiation = negotiation;
    this.loops = loops;
    this.loop = loop;
    this.ticker = ticker;
    this.settings = settings;
    this.tls = tls;
  }

  Loop loop() {
    return loop;
  }

  Ticker ticker() {
    return ticker;
  }

  WireSettings settings() {
    return settings.get();
  }

  @Override
  public void connect(InetSocketAddress address, OriginOwner owner, Connected connected) {
    Channel channel = OriginSocket.open(loops, settings());
    channel.config().setOption(ChannelOption.AUTO_CLOSE, false);
    SslHandler handshake = tls.newHandler(channel.alloc(), address.getPort());
    if (handshake == null) {
      connectPlain(channel, address, owner, connected);
    } else {
      connectTls(channel, address, owner, connected, handshake);
    }
  }

  /** The origin's handler stands there from the start. */
  private void connectPlain(
      Channel channel, InetSocketAddress address, OriginOwner owner, Connected connected) {
    var handler = new OriginHandler(this, owner, tls.epoch());
    channel.pipeline().addLast(handler);
    loop.netty().register(channel);
    channel
        .connect(address)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                connected.ready(handler.connection());
              } else {
                channel.close();
                connected.failed(OriginSocket.causeOf(done.cause()));
              }
            });
  }

  /** The handshake begins once the channel is connected, and has that long once more (DEC-35). */
  private void connectTls(
      Channel channel,
      InetSocketAddress address,
      OriginOwner owner,
      Connected connected,
      SslHandler handshake) {
    int epoch = tls.epoch();
    loop.netty().register(channel);
    channel
        .connect(address)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                var gate = gate(address, owner, connected, epoch);
                // The gate first: it must hear of a handshake that fails at once.
                channel.pipeline().addLast(gate).addFirst(handshake);
              } else {
                ReferenceCountUtil.release(handshake.engine());
                channel.close();
                connected.failed(OriginSocket.causeOf(done.cause()));
              }
            });
  }

  private HandshakeGate gate(
      InetSocketAddress address, OriginOwner owner, Connected connected, int epoch) {
    return new HandshakeGate(
        loop,
        ticker,
        settings().originConnect().toNanos(),
        new HandshakeGate.Outcome() {
          @Override
          public void shaken(ChannelHandlerContext ctx, String protocol) {
            speak(protocol, ctx, address, owner, connected, epoch);
          }

          @Override
          public void failed(TlsFault fault) {
            tell(address, fault);
            connected.failed(causeOf(fault));
          }
        });
  }

  /** The handshake is done: what speaks here from now on goes behind {@code ctx}'s handler. */
  private void speak(
      String protocol,
      ChannelHandlerContext ctx,
      InetSocketAddress address,
      OriginOwner owner,
      Connected connected,
      int epoch) {
    if (protocol.equals(Alpn.HTTP_1) && (negotiation == null || negotiation.takesHttp1())) {
      var handler = new OriginHandler(this, owner, epoch);
      ctx.pipeline().addLast(handler);
      connected.ready(handler.connection());
    } else if (protocol.equals(Alpn.HTTP_2) && negotiation != null) {
      negotiation.http2(ctx.channel(), address, owner, connected, () -> isCurrent(epoch));
    } else {
      tell(address, new TlsFault(TlsFault.Kind.PROTOCOL, "ALPN agreed on " + protocol));
      ctx.close();
      connected.failed(Cause.TLS_PROTOCOL_ERROR);
    }
  }

  /** Whether a connection made under {@code epoch} speaks as the settings in force say. */
  boolean isCurrent(int epoch) {
    return epoch == tls.epoch();
  }

  /** In words, now and then: the access log has a reason for each request. */
  private void tell(InetSocketAddress address, TlsFault fault) {
    long now = ticker.nanos();
    if (!told || now - toldNanos > TELL_NANOS) {
      told = true;
      toldNanos = now;
      log.warn("no TLS to the origin at {}: {}", address, fault.detail());
    }
  }

  private static Cause causeOf(TlsFault fault) {
    return switch (fault.kind()) {
      case TIMEOUT -> Cause.CONNECTION_TIMEOUT;
      case CLOSED -> Cause.CONNECTION_TERMINATED;
      case CERTIFICATE -> Cause.TLS_CERTIFICATE_ERROR;
      case ALERT -> Cause.TLS_ALERT_RECEIVED;
      case NOT_TLS, PROTOCOL -> Cause.TLS_PROTOCOL_ERROR;
    };
  }
}
