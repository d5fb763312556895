package dev.sluice.governor.fetch;

import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.WireSettings;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One loop's connections to the upstreams (DEC-37): the one used last is used first. Counts are the
 * process's; at its bound a loop asks the others for an idle connection and waits for room. Where a
 * connection carries many attempts (DEC-50) it is in the pool as long as it takes one more, and one
 * that is being made is waited for. Confined to its loop, but for {@link #wake}.
 */
public final class OriginPool {

  /** A connection that was idle longer may die under a request that cannot be asked twice. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Loop loop;
  private final Ticker ticker;
  private final OriginConnector connector;
  private final Upstreams upstreams;
  private final Supplier<FetchSettings> settings;
  private final Supplier<WireSettings> wire;
  private final List<OriginPool> siblings;
  private final Map<UpstreamState, Shelf> shelves = new HashMap<>();

  /** {@code siblings}: the pools of all loops; this one adds itself. */
  public OriginPool(
      Loop loop,
      Ticker ticker,
      OriginConnector connector,
      Upstreams upstreams,
      Supplier<FetchSettings> settings,
      Supplier<WireSettings> wire,
      CopyOnWriteArrayList<OriginPool> siblings) {
    this.loop = loop;
    this.ticker = ticker;
    this.connector = connector;
    this.upstreams = upstreams;
    this.settings = settings;
    this.wire = wire;
    this.siblings = siblings;
    siblings.add(this);
  }

  Loop loop() {
    return loop;
  }

  long now() {
    return ticker.nanos();
  }

  /**
   * Gives {@code taker} a connection to {@code upstream}, at once or later.
   *
   * @param fresh whether a connection that was idle for long will not do
   * @param anew whether only a new connection will do
   */
  void lease(UpstreamState upstream, boolean fresh, boolean anew, OriginConnector.Connected taker) {
    Shelf shelf = shelves.computeIfAbsent(upstream, Shelf::new);
    OriginStream idle = anew ? null : shelf.take(fresh);
    if (idle != null) {
      taker.ready(idle);
      return;
    }
    if (!anew && shelf.isOpeningForMany()) {
      shelf.join(taker);
    } else if (mayOpen(shelf)) {
      shelf.connect(connector, taker);
    } else {
      shelf.await(taker);
    }
  }

  /** The same for an attempt that only a connection of HTTP/1.1 can carry, once. */
  void leaseForUpgrade(UpstreamState upstream, OriginConnector.Connected taker) {
    if (!connector.sharesConnections()) {
      lease(upstream, false, false, taker);
      return;
    }
    Shelf shelf = shelves.computeIfAbsent(upstream, Shelf::new);
    if (mayOpen(shelf)) {
      shelf.connect(connector.forUpgrades(), taker);
    } else {
      // Nobody waits for a connection that can do less than the others.
      loop.execute(() -> taker.failed(Cause.CONNECTION_LIMIT_REACHED));
    }
  }

  /** At the bound, an idle connection that would not do makes room. */
  private boolean mayOpen(Shelf shelf) {
    int max = settings.get().maxConnections();
    return shelf.upstream.open(max) || shelf.giveUpIdle() && shelf.upstream.open(max);
  }

  /** Closes what is idle, on the loop; any thread may say so. */
  public void closeSoon() {
    try {
      loop.execute(() -> shelves.values().forEach(Shelf::closeAll));
    } catch (RejectedExecutionException e) {
      // The loop has ended, and its connections with it.
      return;
    }
  }

  /** Closes what is idle and leads to where no upstream is any more; any thread may say so. */
  public void closeGoneSoon() {
    try {
      loop.execute(
          () -> {
            shelves.values().forEach(Shelf::closeGone);
            shelves.values().removeIf(Shelf::isOver);
          });
    } catch (RejectedExecutionException e) {
      // The loop has ended, and its connections with it.
      return;
    }
  }

  /** Room may have come for {@code upstream}: any thread may say so. */
  private void wake(UpstreamState upstream, boolean giveUpIdle) {
    try {
      loop.execute(
          () -> {
            Shelf shelf = shelves.get(upstream);
            if (shelf != null) {
              shelf.woken(giveUpIdle);
            }
          });
    } catch (RejectedExecutionException e) {
      // The loop has ended: it has neither waiters nor idle connections.
      return;
    }
  }

  private void wakeSiblings(UpstreamState upstream, boolean giveUpIdle) {
    for (OriginPool pool : siblings) {
      if (pool != this) {
        pool.wake(upstream, giveUpIdle);
      }
    }
  }

  /** The idle connections to one upstream, and who waits for one. */
  private final class Shelf implements OriginOwner {

    private final UpstreamState upstream;
    private final ArrayDeque<OriginStream> idle = new ArrayDeque<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** Connections that are being made and will carry many attempts. */
    private int opening;

    Shelf(UpstreamState upstream) {
      this.upstream = upstream;
    }

    @org.jspecify.annotations.Nullable
    OriginStream take(boolean fresh) {
      OriginStream last = idle.peekLast();
      if (last == null || fresh && ticker.nanos() - last.idleSinceNanos() >= FRESH_NANOS) {
        return null;
      }
      idle.removeLast();
      left();
      return last;
    }

    /** Room was counted. */
    void connect(OriginConnector by, OriginConnector.Connected taker) {
      boolean forMany = by.sharesConnections();
      opening += forMany ? 1 : 0;
      OriginConnector.Connected connected = forMany ? openedForMany(taker) : opened(taker);
      if (!Dial.to(upstream, by, this, connected, new Dial.On(loop, ticker))) {
        // Not before this returns: a failure hands its permit on, and so on down the queue.
        loop.execute(() -> connected.failed(Cause.DNS_ERROR));
      }
    }

    private OriginConnector.Connected opened(OriginConnector.Connected taker) {
      return new OriginConnector.Connected() {
        @Override
        public void ready(OriginStream stream) {
          taker.ready(stream);
        }

        @Override
        public void failed(Cause cause) {
          gone();
          taker.failed(cause);
        }
      };
    }

    private OriginConnector.Connected openedForMany(OriginConnector.Connected taker) {
      return new OriginConnector.Connected() {
        @Override
        public void ready(OriginStream stream) {
          opening--;
          taker.ready(stream);
          // Who waited and found no room on it.
          woken(false);
        }

        @Override
        public void failed(Cause cause) {
          opening--;
          gone();
          taker.failed(cause);
          failJoined(cause);
        }
      };
    }

    /** Whether a connection is being made on which there will be room for more than its maker. */
    boolean isOpeningForMany() {
      return opening > 0;
    }

    /** Waits for the connection that is being made, which has its own time to fail in. */
    void join(OriginConnector.Connected taker) {
      waiting.add(new Waiting(taker, true));
    }

    void await(OriginConnector.Connected taker) {
      var place = new Waiting(taker, false);
      waiting.add(place);
      place.timer = loop.schedule(() -> expire(place), wire.get().originConnect().toNanos());
      wakeSiblings(upstream, true);
    }

    /** What failed for one fails for those who waited for the same. */
    private void failJoined(Cause cause) {
      if (opening > 0) {
        return;
      }
      for (Waiting place : List.copyOf(waiting)) {
        if (place.joined && waiting.remove(place)) {
          place.taker.failed(cause);
        }
      }
    }

    private void expire(Waiting place) {
      if (waiting.remove(place)) {
        place.taker.failed(Cause.CONNECTION_LIMIT_REACHED);
      }
    }

    void woken(boolean giveUpIdle) {
      if (giveUpIdle && waiting.isEmpty()) {
        giveUpIdle();
        return;
      }
      while (!waiting.isEmpty()
          && !isOpeningForMany()
          && upstream.open(settings.get().maxConnections())) {
        connect(connector, next());
      }
    }

    /** Closes the connection that was idle longest; false where none is. */
    boolean giveUpIdle() {
      for (OriginStream oldest : idle) {
        if (!oldest.isBusy()) {
          oldest.retire();
          return true;
        }
      }
      return false;
    }

    private OriginConnector.Connected next() {
      Waiting place = waiting.remove();
      if (place.timer != null) {
        place.timer.cancel();
      }
      return place.taker;
    }

    @Override
    public void idle(OriginStream stream) {
      if (!upstream.keeps(stream.address())) {
        stream.retire();
      } else if (!waiting.isEmpty()) {
        next().ready(stream);
      } else if (!stream.isBusy() && upstreams.idle().get() >= settings.get().maxIdle()) {
        stream.retire();
      } else {
        upstreams.idle().incrementAndGet();
        upstream.idled();
        idle.addLast(stream);
      }
    }

    /** One is idle no more. */
    private void left() {
      upstreams.idle().decrementAndGet();
      upstream.idleTaken();
    }

    @Override
    public void withdrawn(OriginStream stream) {
      if (idle.remove(stream)) {
        left();
      }
    }

    @Override
    public void closed(OriginStream stream) {
      if (idle.remove(stream)) {
        left();
      }
      gone();
    }

    private void gone() {
      upstream.closed();
      if (settings.get().maxConnections() > 0) {
        woken(false);
        wakeSiblings(upstream, false);
      }
    }

    void closeGone() {
      for (OriginStream stream : List.copyOf(idle)) {
        if (!upstream.keeps(stream.address())) {
          stream.retire();
        }
      }
    }

    /** Whether nobody will ask for it any more. */
    boolean isOver() {
      return upstream.isRemoved() && upstream.connections() == 0 && waiting.isEmpty();
    }

    void closeAll() {
      for (OriginStream stream : List.copyOf(idle)) {
        stream.retire();
      }
    }
  }

  /** A place in the line for room. */
  private static final class Waiting {
    private final OriginConnector.Connected taker;

    /** Whether for a connection that was being made, not for room to make one. */
    private final boolean joined;

    private dev.sluice.time.Timer.@org.jspecify.annotations.Nullable Scheduled timer;

    Waiting(OriginConnector.Connected taker, boolean joined) {
      this.taker = taker;
      this.joined = joined;
    }
  }
}
