package dev.sluice.time;

/**
 * The time of day, for fields that other machines read: {@code Date}, log lines. Never for waiting.
 */
@FunctionalInterface
public interface WallClock {

  /** Milliseconds since 1970-01-01T00:00:00Z. Thread-safe. */
  long epochMillis();

  /** The clock of the machine. */
  static WallClock system() {
    return System::currentTimeMillis;
  }
}
