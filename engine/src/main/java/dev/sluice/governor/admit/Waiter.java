package dev.sluice.governor.admit;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One flight's place in the queue and, once granted, its permit. Its owner uses it on its loop; the
 * fields under "the drain's" belong to whoever drains (DEC-48). Each flight makes its own: one that
 * is over may be used again only where no wish of it can still be queued, as on a single thread.
 */
public final class Waiter implements Admission.Command {

  /** Who is told, on the waiter's loop, exactly once for each {@link Admission#enter}. */
  public interface Listener {
    /** The origin may be asked; the permit is held until {@link Admission#giveBack}. */
    void granted();

    /** Admission said no; {@code predictedWaitNanos} is the wait foreseen, 0 where unknown. */
    void shed(Cause cause, long predictedWaitNanos);

    /**
     * The answer to {@link Admission#move}; {@code elsewhere}: {@link #upstream} is another now.
     */
    default void moved(boolean elsewhere) {
      throw new IllegalStateException("waiter: moved, and nobody asked for it");
    }
  }

  /** What an owner wants of the drain; bits of {@link #wants}. */
  static final int ENTER = 1;

  static final int LEAVE = 2;
  static final int EXPIRE = 4;
  static final int RETURN = 8;
  static final int RAISE = 16;
  static final int MOVE = 32;

  /** No place in the order of arrivals yet: the one behind all others. */
  public static final long NO_ARRIVAL = -1;

  /** Where the schedule has it. */
  enum Phase {
    /** Not here: new, over, or shed. */
    OUT,
    /** Looked at for the first time. */
    ENTERING,
    WAITING,
    HOLDING
  }

  private final Listener listener;
  private final Loop loop;
  private final AtomicInteger wants = new AtomicInteger();

  // The owner's, on its loop.
  private boolean entered;
  private boolean left;
  private boolean holding;
  private boolean moving;
  private Timer.@Nullable Scheduled deadline;
  private long extendedTo;
  private boolean extended;

  // Written by the owner before ENTER, read by the drain.
  String routeId = "";
  Priority tier = Priority.NORMAL;
  int weight = 1;
  long arrival = NO_ARRIVAL;
  boolean impatient;
  long affinity;

  /** Written by the owner before RAISE. */
  volatile @Nullable Priority raisedTo;

  // The drain's.
  Phase phase = Phase.OUT;
  long rank;
  long enteredNanos;
  @Nullable RouteScope route;
  @Nullable UpstreamScope upstream;
  private @Nullable List<String> tried;
  @Nullable Waiter previous;
  @Nullable Waiter next;
  @Nullable Waiter nextResult;

  // Written by the drain with a result, read by the owner at its delivery.
  @Nullable Cause shedCause;
  long predictedNanos;
  long waitedNanos;
  boolean movedElsewhere;

  public Waiter(Listener listener, Loop loop) {
    this.listener = listener;
    this.loop = loop;
  }

  /** What the place is for; before {@link Admission#enter}. */
  public void prepare(String route, Priority priority, int units) {
    prepare(route, priority, units, NO_ARRIVAL);
  }

  /**
   * What the place is for; before {@link Admission#enter}.
   *
   * @param arrived its place in the order of arrivals, {@link Admission#arrival}
   */
  public void prepare(String route, Priority priority, int units, long arrived) {
    if (entered || holding) {
      throw new IllegalStateException("waiter: prepared while in use");
    }
    routeId = route;
    tier = priority;
    weight = units;
    arrival = arrived;
    raisedTo = null;
  }

  /** It takes a permit that is free at once, and no place in the queue (DEC-40). */
  public void impatient() {
    impatient = true;
  }

  /** What the flight asks for, as a number, where upstreams have ceilings of their own. */
  public void toward(long what) {
    affinity = what;
  }

  /** The upstream that its permit is charged to; null where none is. While it is held. */
  public @Nullable String upstream() {
    return upstream == null ? null : upstream.id;
  }

  /** It will not be moved to {@code scope} any more. */
  void triedUpstream(UpstreamScope scope) {
    if (tried == null) {
      tried = new ArrayList<>();
    }
    tried.add(scope.id);
  }

  boolean hasTried(UpstreamScope scope) {
    return tried != null && tried.contains(scope.id);
  }

  /** Its route's scope, once it entered. */
  RouteScope scope() {
    if (route == null) {
      throw new IllegalStateException("waiter: no scope before it entered");
    }
    return route;
  }

  /** How long the last grant was waited for, in nanoseconds. */
  public long waitedNanos() {
    return waitedNanos;
  }

  Loop loop() {
    return loop;
  }

  /** Adds a wish; the drain takes them all at once. */
  void want(int bit) {
    int seen = wants.get();
    while (!wants.compareAndSet(seen, seen | bit)) {
      seen = wants.get();
    }
  }

  int takeWants() {
    return wants.getAndSet(0);
  }

  /** All wishes, this one among them; mostly there is no other, and a look is cheaper. */
  int takeWantsWith(int bit) {
    return wants.get() == 0 ? bit : bit | takeWants();
  }

  @Override
  public void apply(Schedule schedule, Now now) {
    schedule.apply(this, takeWants(), now);
  }

  @Override
  public void failed(Schedule schedule) {
    schedule.evict(this, Cause.INTERNAL_ERROR);
  }

  void entering() {
    if (entered || holding) {
      throw new IllegalStateException("waiter: entered twice");
    }
    entered = true;
    left = false;
    extended = false;
    moving = false;
    tried = null;
    shedCause = null;
    predictedNanos = 0;
    waitedNanos = 0;
  }

  /** A weight is units of rendering (ADM-25), and here nothing renders. */
  void countsOnce() {
    weight = 1;
  }

  /** Whether no result was delivered yet. */
  boolean isPending() {
    return entered;
  }

  void expireIn(long nanos, Runnable onDue) {
    deadline = loop.schedule(onDue, nanos);
  }

  /** Its deadline is {@code nanos} on the ticker, later than it was. */
  void extendTo(long nanos) {
    extendedTo = nanos;
    extended = true;
  }

  /** What an extended deadline leaves; 0 where it was not extended or is due. */
  long extension(long now) {
    return extended ? Math.max(0, extendedTo - now) : 0;
  }

  /** False where it is no wish any more, or not a higher one. */
  boolean raising(Priority tierNow) {
    Priority before = raisedTo == null ? tier : raisedTo;
    if (!entered || before == null || tierNow.ordinal() >= before.ordinal()) {
      return false;
    }
    raisedTo = tierNow;
    return true;
  }

  /** False where there is nothing to leave any more. */
  boolean leaving() {
    if (!entered) {
      return false;
    }
    entered = false;
    left = true;
    cancelDeadline();
    return true;
  }

  void moving() {
    if (!holding || moving) {
      throw new IllegalStateException("permit: moved while " + (moving ? "moving" : "not held"));
    }
    moving = true;
  }

  void returning() {
    if (!holding) {
      throw new IllegalStateException("permit: given back while not held");
    }
    holding = false;
  }

  /** On the waiter's loop: the result that the drain wrote. */
  void deliver() {
    cancelDeadline();
    if (left) {
      return;
    }
    if (moving) {
      moving = false;
      if (holding) {
        listener.moved(movedElsewhere);
      }
      return;
    }
    entered = false;
    if (shedCause == null) {
      holding = true;
      listener.granted();
    } else {
      listener.shed(shedCause, predictedNanos);
    }
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }
}
