package dev.sluice.chaos.toxiproxy;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Which effect a toxic has on a connection. Thread-safe. */
final class Effects {

  /** A delayed connection must be able to carry what a fast one does. */
  private static final int LATENCY_HOLD = 4 << 20;

  /** Of a toxic on a connection that it does not strike. */
  private static final Effect UNHARMED = new Effect() {};

  private Effects() {}

  /**
   * The effect on one connection, drawn by its toxicity.
   *
   * @param before the effect that it replaces; null on a new connection or for a new toxic
   */
  static Effect of(Toxic toxic, @Nullable Effect before) {
    if (ThreadLocalRandom.current().nextDouble() >= toxic.toxicity()) {
      return UNHARMED;
    }
    return switch (toxic.type()) {
      case LATENCY ->
          new Paced(
              Paces.latency(toxic.attribute("latency"), toxic.attribute("jitter")), LATENCY_HOLD);
      case BANDWIDTH -> new Paced(Paces.bandwidth(toxic.attribute("rate")), 0);
      case SLICER ->
          new Paced(
              Paces.slices(
                  toxic.attribute("average_size"),
                  toxic.attribute("size_variation"),
                  toxic.attribute("delay")),
              0);
      case SLOW_CLOSE -> new Closings.SlowClose(toxic.attribute("delay"));
      case TIMEOUT -> new Closings.Timeout(toxic.attribute("timeout"));
      case RESET_PEER -> new Closings.ResetPeer(toxic.attribute("timeout"));
      case LIMIT_DATA ->
          new Closings.LimitData(
              toxic.attribute("bytes"),
              before instanceof Closings.LimitData limit ? limit.passed() : 0);
    };
  }
}
