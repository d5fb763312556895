package dev.sluice.governor.fetch;

import dev.sluice.governor.fetch.attempts.Breaker;
import dev.sluice.governor.fetch.attempts.Breaker.Change;
import dev.sluice.governor.fetch.attempts.Breaker.State;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what an upstream's breaker has decided: the upstream is left out or taken back, one
 * line says so, and an open one becomes half-open in its time. Stateless; on the loop of the
 * attempt that brought the change about.
 */
final class Ejection {

  private static final Logger log = LoggerFactory.getLogger(Ejection.class);

  private Ejection() {}

  /** {@code change}: what the end of an attempt changed, or null. */
  static void follow(UpstreamState upstream, @Nullable Change change, OriginPool pool) {
    if (change == null) {
      // The end of a trial that showed nothing makes room for another, too.
      upstream.followBreaker();
      return;
    }
    upstream.followBreaker();
    tell(upstream, change);
    if (change.to() == State.OPEN) {
      long openNanos = upstream.breaker().openForNanos();
      pool.loop().schedule(() -> halfOpen(upstream, change.epoch(), pool), openNanos);
    }
  }

  private static void halfOpen(UpstreamState upstream, long epoch, OriginPool pool) {
    follow(upstream, upstream.breaker().halfOpen(epoch, pool.now()), pool);
  }

  private static void tell(UpstreamState upstream, Change change) {
    Breaker breaker = upstream.breaker();
    long openMillis = TimeUnit.NANOSECONDS.toMillis(breaker.openForNanos());
    switch (change.to()) {
      case OPEN -> {
        if (change.from() == State.CLOSED) {
          log.warn(
              "upstream {} ejected for {} ms: {} of {} attempts failed",
              upstream.label(),
              openMillis,
              change.failures(),
              change.attempts());
        } else {
          log.warn(
              "upstream {} ejected for another {} ms: the attempt that tried it failed",
              upstream.label(),
              openMillis);
        }
      }
      case HALF_OPEN -> log.info("upstream {} is tried by one attempt at a time", upstream.label());
      case CLOSED -> log.info("upstream {} is in use again", upstream.label());
    }
  }
}
