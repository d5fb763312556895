package dev.sluice.time;

/** A monotonic clock in nanoseconds; only differences between two readings mean anything. */
@FunctionalInterface
public interface Ticker {

  /** Nanoseconds since an arbitrary origin; compare by subtraction. Thread-safe. */
  long nanos();

  /** The clock of the machine. */
  static Ticker system() {
    return System::nanoTime;
  }
}
