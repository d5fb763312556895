package dev.sluice.governor.classify;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A route's own limits; null where the file does not give one.
 *
 * @param max units in flight, {@code routes[].concurrency.max}
 * @param queueMax waiting flights; where absent and {@code max} is given, min(2 x max, half of the
 *     global queue) (DEC-31)
 * @param queueTimeout replaces the global queue timeout, longer or shorter
 */
public record RouteLimits(
    @Nullable Integer max, @Nullable Integer queueMax, @Nullable Duration queueTimeout) {

  /** A route without limits of its own. */
  public static final RouteLimits NONE = new RouteLimits(null, null, null);
}
