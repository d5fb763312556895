package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.time.Ticker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admission's door, for any thread: a caller marks what a waiter wants, queues it and, if nobody is
 * at it, drains the queue through the {@link Schedule} (DEC-48). No caller waits for another, no
 * foreign code runs inside the drain, and results are delivered behind it. Thread-safe.
 */
public final class Admission {

  /** Something the drain applies: a waiter with its wishes, new limits, a question. */
  interface Command {
    void apply(Schedule schedule, Now now);

    void failed(Schedule schedule);
  }

  private static final Logger log = LoggerFactory.getLogger(Admission.class);
  private static final int CHUNK = 1024;

  private final MpscUnboundedArrayQueue<Command> queue = new MpscUnboundedArrayQueue<>(CHUNK);
  private final AtomicInteger work = new AtomicInteger();
  private final Schedule schedule;
  private final Ticker ticker;
  private final Now now;
  private final boolean weighs;
  private final Object configuring = new Object();

  /** What the limits are made of, and of how many upstreams. Guarded by {@link #configuring}. */
  private Recipe recipe;

  private @Nullable UpstreamChoice choice;

  private volatile Limits limits;
  private long longestDrainNanos;

  /** The limits as configured, made into those in force; null = there is one upstream. */
  private interface Recipe {
    Limits limits(@Nullable UpstreamChoice choice);
  }

  /** The origin's work: tiers, routes, a queue. */
  public Admission(AdmitSettings settings, List<Route> routes, Ticker ticker) {
    this(choice -> Limits.of(settings, routes, choice), true, ticker);
  }

  private Admission(Recipe recipe, boolean weighs, Ticker ticker) {
    this.recipe = recipe;
    this.weighs = weighs;
    this.limits = recipe.limits(null);
    this.schedule = new Schedule(limits);
    this.ticker = ticker;
    this.now = new Now(ticker);
  }

  /** A class with a ceiling of its own and a short queue (DEC-33), which counts requests. */
  public static Admission forClass(ClassLimit limit, List<Route> routes, Ticker ticker) {
    return new Admission(choice -> Limits.ofClass(limit, routes, choice), false, ticker);
  }

  /** Asks for a permit; on the waiter's loop. The answer may come before this returns. */
  public void enter(Waiter waiter) {
    waiter.entering();
    if (!weighs) {
      waiter.countsOnce();
    }
    submit(waiter, Waiter.ENTER);
    if (waiter.isPending()) {
      waiter.expireIn(timeoutNanos(waiter.routeId), () -> expire(waiter));
    }
  }

  /** A place in the order of arrivals, for who may ask later. */
  public long arrival() {
    return schedule.arrival();
  }

  /** Whoever waits in {@code waiter}'s place came just now: its deadline moves; on its loop. */
  public void extend(Waiter waiter) {
    waiter.extendTo(ticker.nanos() + timeoutNanos(waiter.routeId));
  }

  /** The waiter asks at a higher tier from now on, in its place; on its loop. */
  public void raise(Waiter waiter, Priority tier) {
    if (waiter.raising(tier)) {
      submit(waiter, Waiter.RAISE);
    }
  }

  /** How long a waiter of {@code route} waits at most. */
  public long timeoutNanos(String route) {
    Limits.PerRoute own = limits.routes().get(route);
    return own == null ? limits.queueTimeoutNanos() : own.timeoutNanos();
  }

  /** The waiter's flight is not to go any more; on its loop. No answer comes after this. */
  public void leave(Waiter waiter) {
    if (waiter.leaving()) {
      submit(waiter, Waiter.LEAVE);
    }
  }

  /**
   * Another upstream is to have the charge of the permit that {@code waiter} holds, one that it was
   * not charged to before; on its loop. The answer may come before this returns.
   */
  public void move(Waiter waiter) {
    waiter.moving();
    submit(waiter, Waiter.MOVE);
  }

  /**
   * Whether others are turned away for want of a place in the queue of {@code waiter}, which holds
   * a permit: then no work is added behind it (A03). On its loop; a look at what the last command
   * left, without waiting for the one under way.
   */
  public boolean isQueueFull(Waiter waiter) {
    return schedule.isQueueFull(waiter.scope());
  }

  /** Returns the permit; on the waiter's loop, exactly once for each grant. */
  public void giveBack(Waiter waiter) {
    waiter.returning();
    submit(waiter, Waiter.RETURN);
  }

  /** New limits for the origin's work. */
  public void reload(AdmitSettings settings, List<Route> routes) {
    reload(choice -> Limits.of(settings, routes, choice));
  }

  /** New limits for a class. */
  public void reloadClass(ClassLimit limit, List<Route> routes) {
    reload(choice -> Limits.ofClass(limit, routes, choice));
  }

  private void reload(Recipe next) {
    synchronized (configuring) {
      recipe = next;
      limits = next.limits(choice);
    }
    enforce();
  }

  /**
   * Other upstreams are in use, those that {@code newest} tells (BEY-23). It is asked in here, so
   * that of two who call at once neither brings an older choice back.
   */
  public void choose(Supplier<UpstreamChoice> newest) {
    synchronized (configuring) {
      choice = newest.get();
      limits = recipe.limits(choice);
    }
    enforce();
  }

  /** What there is now, between two commands; waits for the drain under way, if there is one. */
  public Snapshot snapshot() {
    var answer = new CompletableFuture<Snapshot>();
    submit(
        new Command() {
          @Override
          public void apply(Schedule state, Now now) {
            answer.complete(state.snapshot(longestDrainNanos));
          }

          @Override
          public void failed(Schedule state) {
            answer.cancel(false);
          }
        });
    return answer.join();
  }

  /** The newest limits, whoever set them: of two that come at once the later is not undone. */
  private void enforce() {
    submit(
        new Command() {
          @Override
          public void apply(Schedule state, Now now) {
            state.reload(limits, now);
          }

          @Override
          public void failed(Schedule state) {}
        });
  }

  private void expire(Waiter waiter) {
    long left = waiter.extension(ticker.nanos());
    if (left > 0) {
      waiter.expireIn(left, () -> expire(waiter));
    } else {
      submit(waiter, Waiter.EXPIRE);
    }
  }

  // The drain.

  /**
   * Where nobody drains, the wish is applied as it is; else it is marked and queued. With it go
   * those that lie in the queue behind an offer that is not finished: the drain that they were
   * counted for did not see them, and a LEAVE ahead of its ENTER would lose the permit.
   */
  private void submit(Waiter waiter, int want) {
    if (work.compareAndSet(0, 1)) {
      now.forget();
      try {
        schedule.apply(waiter, waiter.takeWantsWith(want), now);
      } catch (RuntimeException e) {
        failed(waiter, e);
      }
      deliver(drain());
      return;
    }
    waiter.want(want);
    submit(waiter);
  }

  private void submit(Command command) {
    queue.offer(command);
    if (work.getAndIncrement() == 0) {
      now.forget();
      deliver(drain());
    }
  }

  /** Applies commands until none is left; whoever moved the counter from zero is alone in here. */
  private @Nullable Waiter drain() {
    Waiter first = null;
    Waiter last = null;
    int applied = 0;
    int seen = 1;
    do {
      // relaxedPoll: an offer that is not finished is drained by its own producer.
      for (Command next = queue.relaxedPoll(); next != null; next = queue.relaxedPoll()) {
        apply(next);
        applied++;
      }
      Waiter results = schedule.takeResults();
      if (results != null) {
        if (last == null) {
          first = results;
        } else {
          last.nextResult = results;
        }
        last = endOf(results);
      }
      if (applied > 1) {
        longestDrainNanos = Math.max(longestDrainNanos, ticker.nanos() - now.nanos());
      }
      seen = work.addAndGet(-seen);
    } while (seen != 0);
    return first;
  }

  private void apply(Command command) {
    try {
      command.apply(schedule, now);
    } catch (RuntimeException e) {
      failed(command, e);
    }
  }

  private void failed(Command command, RuntimeException failure) {
    log.error(
        "admission: a command failed; who asked by it is shed, who holds on holds on", failure);
    command.failed(schedule);
  }

  private static Waiter endOf(Waiter chain) {
    Waiter last = chain;
    while (last.nextResult != null) {
      last = last.nextResult;
    }
    return last;
  }

  /** Behind the drain: on this loop at once, one task for each other loop. */
  private void deliver(@Nullable Waiter results) {
    Waiter waiter = results;
    while (waiter != null) {
      Waiter rest = waiter.nextResult;
      waiter.nextResult = null;
      if (waiter.loop().isCurrent()) {
        waiter.deliver();
      } else {
        rest = deliverElsewhere(waiter, rest);
      }
      waiter = rest;
    }
  }

  /** Hands {@code first} and all of its loop in {@code others} over; returns who is left. */
  private @Nullable Waiter deliverElsewhere(Waiter first, @Nullable Waiter others) {
    Waiter left = gather(first, others);
    try {
      first.loop().execute(() -> deliver(first));
      return left;
    } catch (RejectedExecutionException e) {
      log.debug("a loop has ended with {} undelivered", first);
    }
    Waiter more = returnAll(first);
    if (left == null) {
      return more;
    }
    endOf(left).nextResult = more;
    return left;
  }

  /** Chains those of {@code first}'s loop behind it; returns the chain of the others. */
  private static @Nullable Waiter gather(Waiter first, @Nullable Waiter others) {
    Waiter mine = first;
    Waiter left = null;
    Waiter lastLeft = null;
    for (Waiter waiter = others; waiter != null; ) {
      Waiter next = waiter.nextResult;
      waiter.nextResult = null;
      if (waiter.loop() == first.loop()) {
        mine.nextResult = waiter;
        mine = waiter;
      } else if (lastLeft == null) {
        left = waiter;
        lastLeft = waiter;
      } else {
        lastLeft.nextResult = waiter;
        lastLeft = waiter;
      }
      waiter = next;
    }
    return left;
  }

  /**
   * A loop that has ended hears nothing: what it was granted goes back. Returns whom that decided
   * on, where nobody else drains, for the caller to deliver behind the others: they may be of that
   * loop again, and so on down the queue.
   */
  private @Nullable Waiter returnAll(Waiter chain) {
    int returned = 0;
    for (Waiter waiter = chain; waiter != null; ) {
      Waiter next = waiter.nextResult;
      waiter.nextResult = null;
      if (waiter.shedCause == null) {
        waiter.want(Waiter.RETURN);
        queue.offer(waiter);
        returned++;
      }
      waiter = next;
    }
    if (returned == 0 || work.getAndAdd(returned) != 0) {
      return null;
    }
    now.forget();
    return drain();
  }
}
