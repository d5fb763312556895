package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the origin, and in which order: what each command means, DEC-31's bounds, and
 * DEC-30's scan after every one. A plain machine driven by commands and the time they carry;
 * single-threaded, deterministic, with no idea of who drives it.
 */
final class Schedule {

  private static final int BETWEEN_BITS = 24;
  private static final long BETWEEN = (1L << (BETWEEN_BITS - 1)) - 1;

  private final ConcurrencyLimit limit;
  private final WaitQueue queue;
  private final WaitPrediction prediction;
  private final Decisions decisions = new Decisions();
  private final Scan scan;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong boarded = new AtomicLong();

  Schedule(Limits limits) {
    this.limit = new ConcurrencyLimit(limits);
    this.queue = new WaitQueue(limit);
    this.prediction = new WaitPrediction(limit, queue);
    this.scan = new Scan(limit, queue, decisions);
  }

  // Commands.

  /** Does what {@code waiter} wants; a want that no longer fits its phase is void. */
  void apply(Waiter waiter, int wants, Now now) {
    if ((wants & Waiter.ENTER) != 0 && waiter.phase == Waiter.Phase.OUT) {
      enter(waiter, now);
    }
    if ((wants & Waiter.RAISE) != 0 && waiter.phase == Waiter.Phase.WAITING) {
      raise(waiter, now);
    }
    if ((wants & Waiter.LEAVE) != 0) {
      leave(waiter, now);
    }
    if ((wants & Waiter.EXPIRE) != 0 && waiter.phase == Waiter.Phase.WAITING) {
      shed(waiter, limit.queueDeadline());
      scan.run(now);
    }
    if ((wants & Waiter.RETURN) != 0 && waiter.phase == Waiter.Phase.HOLDING) {
      release(waiter, now);
    }
    if ((wants & Waiter.MOVE) != 0 && waiter.phase == Waiter.Phase.HOLDING) {
      move(waiter, now);
    }
  }

  /**
   * A place in the order of arrivals for who may ask later: behind those who asked before, in front
   * of those who ask next, and in order among those who come meanwhile. Thread-safe.
   */
  long arrival() {
    return rank(asked.getAcquire()) + 1 + (boarded.getAndIncrement() & BETWEEN);
  }

  /** The next place for who asks now; only the drain writes it, so it costs no atomic step. */
  private long nextRank() {
    long next = asked.getPlain() + 1;
    asked.setRelease(next);
    return rank(next);
  }

  /** Between two who ask there is room for whoever boards meanwhile. */
  private static long rank(long place) {
    return place << BETWEEN_BITS;
  }

  /** New limits: used units stay, nothing is cut; who can never fit any more is shed (DEC-36). */
  void reload(Limits next, Now now) {
    limit.enforce(next);
    for (RouteScope route : Set.copyOf(limit.routes())) {
      for (Line line : route.lines) {
        shedUnfit(line);
      }
    }
    limit.forgetRoutes();
    limit.routes().forEach(queue::noteFullness);
    scan.run(now);
  }

  /** Takes out a waiter whose command failed; one that was to move stays where it is. */
  void evict(Waiter waiter, Cause cause) {
    switch (waiter.phase) {
      case ENTERING -> refuse(waiter, cause);
      case WAITING -> shed(waiter, cause);
      case HOLDING -> decisions.moved(waiter, false);
      case OUT -> {}
    }
  }

  /** Who was granted or shed since the last call, chained in order. */
  @Nullable Waiter takeResults() {
    return decisions.take();
  }

  // Entering.

  private void enter(Waiter waiter, Now now) {
    waiter.phase = Waiter.Phase.ENTERING;
    waiter.route = limit.route(waiter.routeId);
    waiter.rank = waiter.arrival == Waiter.NO_ARRIVAL ? nextRank() : waiter.arrival;
    if (!limit.canEverFit(waiter)) {
      refuse(waiter, Cause.LIMIT_LOWERED);
      return;
    }
    if (queue.isEmpty() && limit.hasRoom(waiter)) {
      // Nobody waits: the scan would visit this one alone.
      limit.charge(waiter);
      decisions.granted(waiter, 0);
      return;
    }
    waiter.enteredNanos = now.nanos();
    queue.add(waiter);
    scan.run(now);
    if (waiter.phase == Waiter.Phase.WAITING) {
      bound(waiter, now);
    }
  }

  /** A higher tier in the same place: it keeps its rank (DEC-30). */
  private void raise(Waiter waiter, Now now) {
    Priority higher = waiter.raisedTo;
    if (higher == null || higher.ordinal() >= waiter.tier.ordinal()) {
      return;
    }
    queue.remove(waiter);
    waiter.tier = higher;
    if (limit.canEverFit(waiter)) {
      queue.add(waiter);
    } else {
      refuse(waiter, Cause.LIMIT_LOWERED);
    }
    scan.run(now);
  }

  /**
   * A newcomer that must wait: is there a place for it, and is waiting worth it? Nobody can go
   * without it who could not with it, so only another's place is worth a scan.
   */
  private void bound(Waiter waiter, Now now) {
    if (waiter.impatient) {
      shed(waiter, Cause.REFRESH_DECLINED);
      return;
    }
    RouteScope route = waiter.scope();
    waiter.predictedNanos = limit.predicts() ? prediction.nanos(waiter, now) : 0;
    if (waiter.predictedNanos > route.timeoutNanos / 10 * 9) {
      shed(waiter, Cause.PREDICTED);
    } else if (route.waiting > route.queueMax) {
      makePlace(waiter, queue.newestBelow(waiter.tier, route), now);
    } else if (queue.waiting() > limit.queueMax()) {
      makePlace(waiter, queue.newestBelow(waiter.tier, null), now);
    }
  }

  /** DEC-31: the newest of the lowest tier below goes; without one the newcomer does. */
  private void makePlace(Waiter newcomer, @Nullable Waiter victim, Now now) {
    RouteScope route = newcomer.scope();
    if (victim == null) {
      shed(newcomer, limit.queueFull());
    } else {
      shed(victim, Cause.DISPLACED);
      scan.run(now);
    }
    queue.turnedAway(route);
  }

  /** Whether who came to {@code route} now would find no place to wait in. Any thread. */
  boolean isQueueFull(RouteScope route) {
    return queue.isFull(route);
  }

  // Moving.

  /** BEY-23: an attempt elsewhere takes its charge along; what that frees may be somebody's. */
  private void move(Waiter waiter, Now now) {
    boolean moved = limit.upstreams().move(waiter);
    decisions.moved(waiter, moved);
    if (moved) {
      scan.run(now);
    }
  }

  // Leaving.

  private void leave(Waiter waiter, Now now) {
    switch (waiter.phase) {
      case WAITING -> {
        queue.remove(waiter);
        waiter.phase = Waiter.Phase.OUT;
        limit.forget(waiter.scope());
        scan.run(now);
      }
      case HOLDING -> release(waiter, now);
      case ENTERING, OUT -> {}
    }
  }

  private void release(Waiter waiter, Now now) {
    waiter.phase = Waiter.Phase.OUT;
    limit.release(waiter);
    queue.noteFullness(waiter.scope());
    prediction.returned(waiter, now);
    scan.run(now);
  }

  /** One that waits. */
  private void shed(Waiter waiter, Cause cause) {
    queue.remove(waiter);
    refuse(waiter, cause);
  }

  /** One that is in no queue. */
  private void refuse(Waiter waiter, Cause cause) {
    limit.forget(waiter.scope());
    decisions.shed(waiter, cause);
  }

  private void shedUnfit(Line line) {
    Waiter waiter = line.first();
    while (waiter != null) {
      Waiter next = waiter.next;
      if (!limit.canEverFit(waiter)) {
        shed(waiter, Cause.LIMIT_LOWERED);
      }
      waiter = next;
    }
  }

  // Questions.

  /** What there is, for the operator. */
  Snapshot snapshot(long longestDrainNanos) {
    var tiers = new EnumMap<Priority, Snapshot.Scope>(Priority.class);
    for (Priority tier : Priority.values()) {
      TierScope scope = limit.tier(tier);
      tiers.put(tier, new Snapshot.Scope(scope.max, scope.used, scope.waiting));
    }
    var routes = new TreeMap<String, Snapshot.Scope>();
    for (RouteScope route : limit.routes()) {
      routes.put(route.id, new Snapshot.Scope(route.max, route.used, route.waiting));
    }
    var upstreams = new TreeMap<String, Snapshot.Scope>();
    for (UpstreamScope upstream : limit.upstreams().all()) {
      upstreams.put(upstream.id, new Snapshot.Scope(limit.upstreams().max(), upstream.used, 0));
    }
    return new Snapshot(
        new Snapshot.Scope(limit.max(), limit.used(), queue.waiting()),
        Map.copyOf(tiers),
        Collections.unmodifiableMap(routes),
        Collections.unmodifiableMap(upstreams),
        decisions.grants(),
        decisions.sheds(),
        longestDrainNanos);
  }
}
