package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** One toxic's place in the chain of a flow. Confined to the connection's event loop. */
final class Node implements Outlet {

  private final Flow flow;
  private final Output output = new Output();
  private Toxic toxic;
  private Effect effect;
  private Outlet next;
  private boolean inputEnded;
  private boolean outputEnded;

  /** At work at once. */
  Node(Flow flow, Toxic toxic, Outlet next) {
    this.flow = flow;
    this.toxic = toxic;
    this.next = next;
    this.effect = Effects.of(toxic, null);
    effect.begin(output);
  }

  Toxic toxic() {
    return toxic;
  }

  int holdMax() {
    return effect.holdMax();
  }

  void next(Outlet newNext) {
    next = newNext;
  }

  @Override
  public void pass(ByteBuf bytes) {
    if (outputEnded) {
      flow.drop(bytes);
    } else {
      effect.take(bytes, output);
    }
  }

  @Override
  public void end() {
    if (!inputEnded) {
      inputEnded = true;
      if (!outputEnded) {
        effect.end(output);
      }
    }
  }

  /** Another toxic of the same name; whether it strikes this connection is drawn again. */
  void update(Toxic changed) {
    toxic = changed;
    effect.replace(output);
    effect = Effects.of(changed, effect);
    if (!outputEnded) {
      effect.begin(output);
      if (inputEnded) {
        effect.end(output);
      }
    }
  }

  /** Lets go of what it holds; from then on it is in nobody's way. */
  void remove() {
    effect.remove(output);
    if (inputEnded) {
      output.end();
    }
  }

  /** What the effect may do. Confined to the connection's event loop. */
  private final class Output implements Site {

    @Override
    public void pass(ByteBuf bytes) {
      if (outputEnded) {
        flow.drop(bytes);
      } else {
        next.pass(bytes);
      }
    }

    @Override
    public void end() {
      if (!outputEnded) {
        outputEnded = true;
        next.end();
      }
    }

    @Override
    public void drop(ByteBuf bytes) {
      flow.drop(bytes);
    }

    @Override
    public void reset() {
      flow.reset();
    }

    @Override
    public Future<?> after(long nanos, Runnable task) {
      EventLoop loop = flow.loop();
      return loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }
  }
}
