package dev.sluice.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A small HTTP server for the operator's pages, apart from all traffic: a loop of its own for
 * sockets and for pages that are instant, and a thread for those that take time, so that a slow
 * scrape delays no probe. A connection serves one request. Thread-safe.
 */
public final class PlainHttpListener implements AutoCloseable {

  /**
   * What is asked of a page; its body, if there is one, is not looked at. Immutable.
   *
   * @param method GET where HEAD was asked, whose answer loses its body on the way
   * @param query behind the first {@code ?} without it; empty where there is none
   * @param fields by name in lower case, in their order
   */
  public record Question(
      String method, String path, String query, Map<String, List<String>> fields) {}

  /**
   * What a page answers. Immutable.
   *
   * @param fields further ones of the head, by name
   */
  public record Reply(int status, String contentType, byte[] body, Map<String, String> fields) {

    public Reply(int status, String contentType, byte[] body) {
      this(status, contentType, body, Map.of());
    }
  }

  /** Makes pages. */
  public interface Pages {
    /** The answer to {@code question}, whatever its method. */
    Reply answer(Question question);

    /** Whether {@code path} is answered without waiting for anything: on the listener's loop. */
    boolean isInstant(String path);
  }

  /** Where one more comes, the oldest goes: a probe always gets in. */
  static final int MAX_CONNECTIONS = 64;

  /** Bytes of a request's line, of its fields, and of a body that nobody looks at: each. */
  static final int MAX_REQUEST = 16 * 1024;

  private static final int MAX_CHUNK = 8 * 1024;

  /** From the accept to the end of the answer, whatever the client does. */
  private static final int DEADLINE_SECONDS = 30;

  private static final int CLOSE_SECONDS = 1;

  private final Transport transport;
  private final MultiThreadIoEventLoopGroup loop;
  private final ThreadPoolExecutor worker;
  private final LinkedHashSet<Channel> connections = new LinkedHashSet<>();
  private final Pages pages;

  /** Nothing is bound yet. */
  public PlainHttpListener(Transport transport, String threadName, Pages pages) {
    this.transport = transport;
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory(threadName, true), transport.ioHandler());
    this.worker =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_CONNECTIONS),
            new DefaultThreadFactory(threadName + "-page", true));
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
            .channelFactory(transport::newServer)
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
    worker.shutdownNow();
    EventLoops.end(loop, CLOSE_SECONDS);
  }

  /** A line of text as an answer. */
  public static Reply plain(int status, String text) {
    return plain(status, text, Map.of());
  }

  /** The same, with further fields. */
  public static Reply plain(int status, String text, Map<String, String> fields) {
    return new Reply(
        status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8), fields);
  }

  /**
   * The page is there and not for that method (RFC 9110 15.5.6).
   *
   * @param allow the methods that it is for, comma between
   */
  public static Reply notAllowed(String allow) {
    return plain(405, "Served here is only: " + allow + "\n", Map.of("allow", allow));
  }

  /** On the one loop, which {@code connections} is confined to. */
  private final class Setup extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      makeRoom();
      connections.add(channel);
      channel.closeFuture().addListener(closed -> connections.remove(channel));
      var deadline =
          channel.eventLoop().schedule(() -> channel.close(), DEADLINE_SECONDS, TimeUnit.SECONDS);
      channel.closeFuture().addListener(closed -> deadline.cancel(false));
      channel
          .pipeline()
          .addLast(
              new HttpServerCodec(MAX_REQUEST, MAX_REQUEST, MAX_CHUNK),
              new HttpObjectAggregator(MAX_REQUEST, true),
              new PageHandler(pages, worker));
    }

    private void makeRoom() {
      if (connections.size() >= MAX_CONNECTIONS) {
        Iterator<Channel> oldest = connections.iterator();
        Channel leaving = oldest.next();
        oldest.remove();
        leaving.close();
      }
    }
  }
}
