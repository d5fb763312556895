package dev.sluice.governor.fetch;

/** Which of several upstreams a flight goes to. Thread-safe. */
interface Balance {

  /** None is eligible. */
  int NONE = -1;

  /**
   * The place of an eligible one, or {@link #NONE}.
   *
   * @param affinity what the flight asks for, as a number; 0 where {@link #readsPath} is false
   * @param nowNanos on the ticker; 0 where {@link #readsClock} is false
   */
  int choose(long affinity, long nowNanos, Candidates among);

  /** Whether it matters what is asked for. */
  default boolean readsPath() {
    return false;
  }

  /** Whether it matters how long ago something was. */
  default boolean readsClock() {
    return false;
  }

  /** What there is to choose from, by place. */
  interface Candidates {
    int size();

    boolean isEligible(int at);

    /** A number of its own, the same for the life of its address. */
    long seed(int at);

    /** Flights that are under way there, or the units charged to it. */
    int inFlight(int at);

    /** How long it took to answer of late; {@link Latency#UNKNOWN} where it did not. */
    long latencyNanos(int at, long nowNanos);
  }
}
