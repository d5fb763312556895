package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * One direction of one connection: what the source sent goes through the toxics to the sink. The
 * source waits while as much is under way as may be. Confined to the connection's event loop.
 */
final class Flow {

  /** Bytes under way that are nobody's delay. */
  private static final int HELD_MAX = 64 << 10;

  private final Channel source;
  private final Channel sink;
  private final Outlet exit = new Exit();
  private final List<Node> nodes = new ArrayList<>();
  private long held;
  private boolean sourceEnded;

  Flow(Channel source, Channel sink) {
    this.source = source;
    this.sink = sink;
  }

  EventLoop loop() {
    return source.eventLoop();
  }

  /** Has these toxics at work, in this order, and no other. */
  void use(List<Toxic> toxics) {
    for (Node node : List.copyOf(nodes)) {
      if (toxics.stream().noneMatch(toxic -> toxic.name().equals(node.toxic().name()))) {
        node.remove();
        nodes.remove(node);
        link();
      }
    }
    for (Toxic toxic : toxics) {
      use(toxic);
    }
    readMore();
  }

  private void use(Toxic toxic) {
    for (Node node : nodes) {
      if (node.toxic().name().equals(toxic.name())) {
        if (!node.toxic().equals(toxic)) {
          node.update(toxic);
        }
        return;
      }
    }
    Node added = new Node(this, toxic, exit);
    nodes.add(added);
    link();
    if (sourceEnded && nodes.size() == 1) {
      added.end();
    }
  }

  private void link() {
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).next(i + 1 < nodes.size() ? nodes.get(i + 1) : exit);
    }
  }

  /** Takes over what the source sent. */
  void received(ByteBuf bytes) {
    held += bytes.readableBytes();
    first().pass(bytes);
  }

  void sourceEnded() {
    if (!sourceEnded) {
      sourceEnded = true;
      first().end();
    }
  }

  /** Asks the source for more unless too much is under way. */
  void readMore() {
    if (!sourceEnded && source.isActive() && held <= holdMax()) {
      source.read();
    }
  }

  void drop(ByteBuf bytes) {
    held -= bytes.readableBytes();
    bytes.release();
  }

  void reset() {
    for (Channel side : List.of(source, sink)) {
      side.config().setOption(ChannelOption.SO_LINGER, 0);
      side.close();
    }
  }

  private Outlet first() {
    return nodes.isEmpty() ? exit : nodes.get(0);
  }

  private long holdMax() {
    long most = HELD_MAX;
    for (Node node : nodes) {
      most += node.holdMax();
    }
    return most;
  }

  /** The chain's last place: the sink. Confined to the connection's event loop. */
  private final class Exit implements Outlet {
    private boolean ended;

    @Override
    public void pass(ByteBuf bytes) {
      if (ended) {
        drop(bytes);
        return;
      }
      int size = bytes.readableBytes();
      sink.writeAndFlush(bytes)
          .addListener(
              written -> {
                held -= size;
                readMore();
              });
    }

    @Override
    public void end() {
      if (!ended) {
        ended = true;
        sink.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      }
    }
  }
}
