package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.Future;
import java.util.List;

/** A client's connection joined with one to the upstream. Confined to their one event loop. */
final class Link {

  private final Channel client;
  private final Flow upstream;
  private final Flow downstream;

  Link(Channel client, Channel upstreamChannel) {
    this.client = client;
    this.upstream = new Flow(client, upstreamChannel);
    this.downstream = new Flow(upstreamChannel, client);
  }

  /** Begins to carry bytes, through these toxics. */
  void begin(List<Toxic> toxics, Channel upstreamChannel) {
    client.pipeline().addLast(new Source(upstream));
    upstreamChannel.pipeline().addLast(new Source(downstream));
    useNow(toxics);
    // What ended before the handlers were there told nobody.
    if (!client.isActive()) {
      upstream.sourceEnded();
    }
    if (!upstreamChannel.isActive()) {
      downstream.sourceEnded();
    }
  }

  /** Has these toxics at work from some moment before the future is done. Thread-safe. */
  Future<?> use(List<Toxic> toxics) {
    return client.eventLoop().submit(() -> useNow(toxics));
  }

  private void useNow(List<Toxic> toxics) {
    upstream.use(of(toxics, Direction.UPSTREAM));
    downstream.use(of(toxics, Direction.DOWNSTREAM));
  }

  private static List<Toxic> of(List<Toxic> toxics, Direction direction) {
    return toxics.stream().filter(toxic -> toxic.direction() == direction).toList();
  }

  /** Feeds a flow from its source. Confined to the connection's event loop. */
  private static final class Source extends ChannelInboundHandlerAdapter {
    private final Flow flow;

    Source(Flow flow) {
      this.flow = flow;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      flow.received((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      flow.readMore();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        flow.sourceEnded();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      flow.sourceEnded();
    }
  }
}
