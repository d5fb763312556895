package dev.sluice.soak;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.launch.SluiceProcess;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One reload after the other, each awaited.
 *
 * @param sent by signal
 * @param inForce generations that came since the first
 */
record Reloads(int sent, long inForce) {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Pattern GENERATION = Pattern.compile("\"generation\" : ([0-9]+)");

  /** Takes turns with two configurations until the end. */
  static Reloads until(
      Deadline end, Duration pause, SluiceProcess sluice, String one, String other) {
    long first = generation(sluice);
    int sent = 0;
    while (!end.isOver()) {
      LockSupport.parkNanos(pause.toNanos());
      sluice.reload(sent % 2 == 0 ? other : one);
      sent++;
      await(sluice, first + sent);
    }
    return new Reloads(sent, generation(sluice) - first);
  }

  private static void await(SluiceProcess sluice, long wanted) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (generation(sluice) < wanted) {
      deadline.check("generation " + wanted);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static long generation(SluiceProcess sluice) {
    String status = sluice.status();
    Matcher found = GENERATION.matcher(status);
    if (!found.find()) {
      throw new AssertionError("no generation: " + status);
    }
    return Long.parseLong(found.group(1));
  }
}
