package dev.sluice.governor.fetch.attempts;

import org.jspecify.annotations.Nullable;

/**
 * Whether one upstream is to be left alone because real attempts at it fail (DEC-45). Closed, it
 * counts; open, it lets nobody through until {@link #halfOpen}; half-open, one attempt at a time
 * shows whether it may close. Each change begins an epoch, and what an attempt of an earlier one
 * comes to is not looked at. Thread-safe: one lock, held for a few additions.
 */
public final class Breaker {

  /** Where it stands. */
  public enum State {
    /** The upstream is used. */
    CLOSED("closed"),
    /** It is left alone. */
    OPEN("open"),
    /** One attempt at a time tries it. */
    HALF_OPEN("half_open");

    private final String code;

    State(String code) {
      this.code = code;
    }

    /** The word for logs and {@code /status}. */
    public String code() {
      return code;
    }
  }

  /**
   * A change, with what the window held.
   *
   * @param epoch that began with it
   */
  public record Change(State from, State to, long epoch, long failures, long attempts) {}

  /** What it is at one moment; {@code trips}: how often it opened since the start. */
  public record View(State state, long failures, long attempts, long trips) {}

  /** An attempt that is not looked at. */
  public static final long UNSEEN = -1;

  private volatile BreakerSettings settings = BreakerSettings.OFF;
  private volatile boolean ejected;

  // Guarded by this object's lock.
  private State state = State.CLOSED;
  private long epoch;
  private boolean tried;
  private long trips;
  private Counts counts = new Counts(Slices.from(0, BreakerSettings.OFF.window()));

  /** What the window holds. */
  private static final class Counts {
    private final Slices slices;
    private final SlidingCount good = new SlidingCount();
    private final SlidingCount failed = new SlidingCount();
    private final ErrorsByClient errors = new ErrorsByClient();
    private final ClientsSeen clients = new ClientsSeen();

    Counts(Slices slices) {
      this.slices = slices;
    }

    void add(Sign sign, long client, long now) {
      long slice = slices.at(now);
      clients.note(client, slice);
      switch (sign) {
        case GOOD -> good.add(slice);
        case FAILURE -> failed.add(slice);
        case ERROR -> errors.add(client, slice);
        case NOTHING -> {}
      }
    }

    long failures(long now) {
      long slice = slices.at(now);
      return failed.sum(slice) + errors.count(clients.count(slice), slice);
    }

    long attempts(long now) {
      return good.sum(slices.at(now)) + failures(now);
    }
  }

  /** From now on it goes by {@code next}; true where that is another, and it begins anew. */
  public synchronized boolean enforce(BreakerSettings next, long now) {
    boolean isAnother = !next.equals(settings);
    if (isAnother) {
      settings = next;
      become(State.CLOSED, now);
    }
    return isAnother;
  }

  /** Whether the upstream is to be left out of the choice at this moment. */
  public boolean isEjected() {
    return ejected;
  }

  /**
   * An attempt begins; the pass is for {@link #ended}. {@link #UNSEEN} says that it is none of the
   * breaker's: it is off, or open, or another attempt is trying the upstream.
   */
  public long begin() {
    return settings.enabled() ? pass() : UNSEEN;
  }

  private synchronized long pass() {
    if (state == State.CLOSED) {
      return epoch;
    }
    if (state == State.OPEN || tried) {
      return UNSEEN;
    }
    tried = true;
    ejected = true;
    return epoch;
  }

  /** Whether an attempt is trying the upstream, so that nobody else is to. */
  public boolean isBeingTried() {
    // Nobody is left out without being ejected, and most are not.
    return ejected && isTaken();
  }

  private synchronized boolean isTaken() {
    return state == State.HALF_OPEN && tried;
  }

  /** Whether the attempt with this pass is the one that tries a half-open upstream. */
  public boolean isTrial(long pass) {
    return pass != UNSEEN && isHalfOpen(pass);
  }

  private synchronized boolean isHalfOpen(long pass) {
    return state == State.HALF_OPEN && pass == epoch;
  }

  /**
   * An attempt has shown what it has to show, once.
   *
   * @param client the {@link ClientPrefix} of who asked
   * @return what changed with it, or null
   */
  public @Nullable Change ended(long pass, Sign sign, long client, long now) {
    return pass == UNSEEN ? null : judge(pass, sign, client, now);
  }

  private synchronized @Nullable Change judge(long pass, Sign sign, long client, long now) {
    if (pass != epoch) {
      return null;
    }
    if (state == State.HALF_OPEN) {
      return tried(sign, now);
    }
    if (sign == Sign.NOTHING) {
      return null;
    }
    counts.add(sign, client, now);
    return isFailing(now) ? open(now) : null;
  }

  private @Nullable Change tried(Sign sign, long now) {
    tried = false;
    ejected = false;
    return switch (sign) {
      case GOOD -> become(State.CLOSED, now);
      case FAILURE, ERROR -> become(State.OPEN, now);
      case NOTHING -> null;
    };
  }

  private boolean isFailing(long now) {
    long attempts = counts.attempts(now);
    return attempts >= settings.minRequests()
        && 100 * counts.failures(now) >= settings.failurePercent() * attempts;
  }

  private Change open(long now) {
    trips++;
    return become(State.OPEN, now);
  }

  /** The time of the open breaker of {@code ofEpoch} is over; the change, if it still was. */
  public synchronized @Nullable Change halfOpen(long ofEpoch, long now) {
    return state == State.OPEN && epoch == ofEpoch ? become(State.HALF_OPEN, now) : null;
  }

  private Change become(State next, long now) {
    long failures = counts.failures(now);
    long attempts = counts.attempts(now);
    State from = state;
    state = next;
    epoch++;
    tried = false;
    ejected = next == State.OPEN;
    counts = new Counts(Slices.from(now, settings.window()));
    return new Change(from, next, epoch, failures, attempts);
  }

  /** How long it stays open. */
  public long openForNanos() {
    return settings.openFor().toNanos();
  }

  /** What it is now. */
  public synchronized View view(long now) {
    return new View(state, counts.failures(now), counts.attempts(now), trips);
  }
}
