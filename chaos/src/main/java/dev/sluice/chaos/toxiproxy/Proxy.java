package dev.sluice.chaos.toxiproxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A listening port, the address behind it, and the toxics between. Confined to the API's thread,
 * but for the links, which come and go on event loops.
 */
final class Proxy {

  private static final int BACKLOG = 1_024;
  private static final int CONNECT_MILLIS_MAX = 30_000;
  private static final int RECEIVE_BUFFER = 64 << 10;

  private final String name;
  private final EventLoopGroup loops;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private ChannelGroup connections = newGroup();
  private String listen;
  private volatile String upstream;
  private volatile List<Toxic> toxics = List.of();
  private @Nullable Channel listener;

  /** Not started yet. */
  Proxy(String name, String listen, String upstream, EventLoopGroup loops) {
    this.name = name;
    this.listen = listen;
    this.upstream = upstream;
    this.loops = loops;
  }

  String name() {
    return name;
  }

  boolean isEnabled() {
    return listener != null;
  }

  /** Whether it is between these two addresses already. */
  boolean isBetween(String otherListen, String otherUpstream) {
    return listen.equals(otherListen) && upstream.equals(otherUpstream);
  }

  /**
   * Listens, if it does not yet.
   *
   * @throws ApiFailure if the port cannot be had
   */
  void start() {
    if (listener != null) {
      return;
    }
    connections = newGroup();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(new Acceptor(connections))
            .bind(HostPort.parse(listen).resolved())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw ApiFailure.failed("listen tcp " + listen + ": " + bound.cause().getMessage());
    }
    listener = bound.channel();
    listen = HostPort.text((InetSocketAddress) bound.channel().localAddress());
  }

  /** Stops listening and closes every connection. */
  void stop() {
    if (listener == null) {
      return;
    }
    listener.close().awaitUninterruptibly();
    listener = null;
    connections.close().awaitUninterruptibly();
  }

  /** Takes what the body names of {@code listen}, {@code upstream} and {@code enabled}. */
  void update(JsonNode body) {
    String newListen = JsonBody.text(body, "listen", listen);
    String newUpstream = JsonBody.text(body, "upstream", upstream);
    boolean enabled = JsonBody.flag(body, "enabled", isEnabled());
    if (!isBetween(newListen, newUpstream)) {
      stop();
      listen = newListen;
      upstream = newUpstream;
    }
    if (enabled) {
      start();
    } else {
      stop();
    }
  }

  List<Toxic> toxics() {
    return toxics;
  }

  /**
   * The toxic of that name.
   *
   * @throws ApiFailure if there is none
   */
  Toxic toxic(String toxicName) {
    return toxics.stream()
        .filter(toxic -> toxic.name().equals(toxicName))
        .findFirst()
        .orElseThrow(() -> ApiFailure.notFound("toxic"));
  }

  Toxic addToxic(JsonNode body) {
    Toxic added = Toxic.parse(body);
    if (toxics.stream().anyMatch(toxic -> toxic.name().equals(added.name()))) {
      throw ApiFailure.alreadyExists("toxic");
    }
    List<Toxic> more = new ArrayList<>(toxics);
    more.add(added);
    use(more);
    return added;
  }

  Toxic updateToxic(String toxicName, JsonNode body) {
    Toxic before = toxic(toxicName);
    Toxic changed = before.updated(body);
    use(toxics.stream().map(toxic -> toxic.equals(before) ? changed : toxic).toList());
    return changed;
  }

  void removeToxic(String toxicName) {
    Toxic gone = toxic(toxicName);
    use(toxics.stream().filter(toxic -> !toxic.equals(gone)).toList());
  }

  /** As it was made: listening, without a toxic. */
  void reset() {
    start();
    use(List.of());
  }

  /** Returns once every open connection has these toxics at work. */
  private void use(List<Toxic> changed) {
    toxics = List.copyOf(changed);
    List<Future<?>> posted = new ArrayList<>();
    for (Link link : links) {
      posted.add(link.use(toxics));
    }
    for (Future<?> done : posted) {
      done.awaitUninterruptibly();
    }
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name)
        .put("listen", listen)
        .put("upstream", upstream)
        .put("enabled", isEnabled());
    ArrayNode list = json.putArray("toxics");
    toxics.forEach(toxic -> list.add(toxic.toJson()));
    return json;
  }

  private static ChannelGroup newGroup() {
    return new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  }

  /** Joins each client with a connection to the upstream. Thread-safe. */
  private final class Acceptor extends ChannelInitializer<Channel> {
    private final ChannelGroup group;

    Acceptor(ChannelGroup group) {
      this.group = group;
    }

    @Override
    protected void initChannel(Channel client) {
      client.pipeline().addLast(new Quiet());
      group.add(client);
      new Bootstrap()
          .group(client.eventLoop())
          .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
          .option(ChannelOption.AUTO_READ, false)
          .option(ChannelOption.TCP_NODELAY, true)
          // Fixed: a kernel that grows it would hold what a slow line is to keep waiting.
          .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
          .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
          .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
          .handler(new Quiet())
          .connect(HostPort.parse(upstream).resolved())
          .addListener(
              (ChannelFuture connected) -> {
                if (connected.isSuccess()) {
                  join(client, connected.channel());
                } else {
                  client.close();
                }
              });
    }

    private void join(Channel client, Channel upstreamChannel) {
      EventLoop loop = client.eventLoop();
      assert loop.inEventLoop() && upstreamChannel.eventLoop().inEventLoop();
      group.add(upstreamChannel);
      Link link = new Link(client, upstreamChannel);
      // First known, then begun: a toxic that comes in between is either in the list or sent.
      links.add(link);
      client.closeFuture().addListener(closed -> links.remove(link));
      link.begin(toxics, upstreamChannel);
    }
  }
}
