package dev.sluice.soak;

import java.time.Duration;

/**
 * How long the load of a soak lasts: minutes or hours when {@code soak.minutes} says so, else what
 * the gate can spare. Stateless.
 */
final class SoakTime {

  private SoakTime() {}

  /** {@code soak.minutes}, else {@code soak.seconds}, else this many seconds. */
  static int seconds(int otherwise) {
    double minutes = Double.parseDouble(System.getProperty("soak.minutes", "0"));
    return minutes > 0
        ? (int) Math.ceil(minutes * 60)
        : Integer.getInteger("soak.seconds", otherwise);
  }

  /** A pause that gives so many looks in that time. */
  static Duration pause(int seconds, int looks) {
    return Duration.ofMillis(Math.max(250, seconds * 1_000L / looks));
  }
}
