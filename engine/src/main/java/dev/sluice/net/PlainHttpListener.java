package dev.sluice.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP server for the operator's pages on one thread of its own, so that neither traffic
 * nor a slow scrape is in the other's way. Thread-safe.
 */
public final class PlainHttpListener implements AutoCloseable {

  /** What a page answers. */
  public record Reply(int status, String contentType, byte[] body) {}

  /** Makes pages; called on the listener's thread. */
  @FunctionalInterface
  public interface Pages {
    /** The answer to GET {@code path}; HEAD gets the same without its body. */
    Reply get(String path);
  }

  private static final Logger log = LoggerFactory.getLogger(PlainHttpListener.class);
  private static final int MAX_CONNECTIONS = 64;
  private static final int MAX_REQUEST = 16 * 1024;
  private static final int IDLE_SECONDS = 30;

  private final MultiThreadIoEventLoopGroup loop;
  private final AtomicInteger connections = new AtomicInteger();
  private final Pages pages;

  /** Nothing is bound yet. */
  public PlainHttpListener(String threadName, Pages pages) {
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory(threadName, true), NioIoHandler.newFactory());
    this.pages = pages;
  }

  /**
   * Binds and serves; returns the port.
   *
   * @throws BindFailure in one line
   */
  public int bind(NetSettings.Address address) throws BindFailure {
    var socket = new InetSocketAddress(address.host(), address.port());
    if (socket.isUnresolved()) {
      throw new BindFailure("cannot listen on " + address.label() + ": unknown host", null);
    }
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childHandler(new Setup())
            .bind(socket)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw Listener.failure(address, bound.cause());
    }
    return ((InetSocketAddress) bound.channel().localAddress()).getPort();
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }

  private final class Setup extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (connections.incrementAndGet() > MAX_CONNECTIONS) {
        channel.close();
      }
      channel.closeFuture().addListener(closed -> connections.decrementAndGet());
      channel
          .pipeline()
          .addLast(
              new ReadTimeoutHandler(IDLE_SECONDS),
              new HttpServerCodec(),
              new HttpObjectAggregator(MAX_REQUEST),
              new PageHandler());
    }
  }

  private final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      boolean head = request.method().equals(HttpMethod.HEAD);
      Reply reply = replyTo(request, head);
      var response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              HttpResponseStatus.valueOf(reply.status()),
              head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(reply.body()));
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
          .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
          .setInt(HttpHeaderNames.CONTENT_LENGTH, reply.body().length);
      if (reply.status() == 405) {
        response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD");
      }
      boolean keepAlive = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
      HttpUtil.setKeepAlive(response, keepAlive);
      ChannelFuture sent = ctx.writeAndFlush(response);
      if (!keepAlive) {
        sent.addListener(ChannelFutureListener.CLOSE);
      }
    }

    private Reply replyTo(FullHttpRequest request, boolean head) {
      if (request.decoderResult().isFailure()) {
        return plain(400, "The request is malformed.\n");
      }
      if (!head && !request.method().equals(HttpMethod.GET)) {
        return plain(405, "Only GET and HEAD are served here.\n");
      }
      return pages.get(new QueryStringDecoder(request.uri()).path());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      log.debug("operator connection ended: {}", cause.toString());
      ctx.close();
    }
  }

  /** A line of text as an answer. */
  public static Reply plain(int status, String text) {
    return new Reply(
        status,
        "text/plain; charset=utf-8",
        text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
