package dev.sluice.governor.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.ThreadLoop;
import dev.sluice.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * DEC-48 under real threads: nothing is lost, nothing happens twice, nobody is over the ceiling.
 */
class AdmissionThreadsTest {

  private static final int LOOPS = 4;
  private static final int ROUNDS = 20_000;
  private static final int CEILING = 7;

  private final Admission admission =
      new Admission(
          new AdmitSettings(
              CEILING, 0, 64, 64, 64, 4, Duration.ofMillis(2), false, Map.of(), Map.of()),
          List.of(),
          Ticker.system());
  private final AtomicInteger holding = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final AtomicLong granted = new AtomicLong();
  private final AtomicLong shed = new AtomicLong();
  private final CountDownLatch done = new CountDownLatch(LOOPS);

  @Test
  void manyLoops_enterLeaveExpireAndReturn_endWithNothingHeld() throws InterruptedException {
    var loops = new ThreadLoop[LOOPS];
    for (int i = 0; i < LOOPS; i++) {
      loops[i] = new ThreadLoop();
      var driver = new Driver(loops[i]);
      loops[i].execute(driver::next);
    }
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    for (ThreadLoop loop : loops) {
      loop.end();
    }

    Snapshot end = snapshot(admission);
    assertThat(end.global().inFlight()).isZero();
    assertThat(end.global().waiting()).isZero();
    assertThat(holding.get()).isZero();
    assertThat(peak.get()).isBetween(1, CEILING);
    assertThat(granted.get()).isPositive();
    assertThat(shed.get()).isPositive();
    assertThat(end.grants()).isGreaterThanOrEqualTo(granted.get());
  }

  /** A drain that lost a command never answers: that is a failure, and not to be waited for. */
  private static Snapshot snapshot(Admission of) {
    return CompletableFuture.supplyAsync(of::snapshot).orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** A queue that is read relaxed hides what lies behind an offer that is not finished. */
  @Test
  void wishHiddenInTheQueue_isAppliedBeforeTheNextOfItsWaiter() {
    var held = new AtomicInteger();
    Waiter waiter = waiter(new ThreadLoop(), new CountDownLatch(1), held);
    waiter.entering();
    waiter.want(Waiter.ENTER);

    admission.leave(waiter);

    assertThat(waiter.takeWants()).isZero();
    assertThat(snapshot(admission).grants()).isEqualTo(1);
    assertThat(snapshot(admission).global().inFlight()).isZero();
    assertThat(held).hasValue(0);
  }

  @Test
  void loopThatHasEnded_getsNothingAndItsPermitComesBack() throws InterruptedException {
    var ended = new ThreadLoop();
    var live = new ThreadLoop();
    var held = new AtomicInteger();
    var ready = new CountDownLatch(CEILING);
    var places = new Waiter[CEILING];
    for (int i = 0; i < CEILING; i++) {
      places[i] = waiter(live, ready, held);
      Waiter place = places[i];
      live.execute(() -> admission.enter(place));
    }
    assertThat(ready.await(10, TimeUnit.SECONDS)).isTrue();
    var waits = new CountDownLatch(1);
    Waiter orphan = waiter(ended, waits, held);
    var entered = new CountDownLatch(1);
    ended.execute(
        () -> {
          admission.enter(orphan);
          entered.countDown();
        });
    assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
    ended.end();

    var returned = new CountDownLatch(1);
    live.execute(
        () -> {
          for (Waiter place : places) {
            admission.giveBack(place);
          }
          returned.countDown();
        });
    assertThat(returned.await(10, TimeUnit.SECONDS)).isTrue();
    live.end();

    assertThat(snapshot(admission).global().inFlight()).isZero();
    assertThat(snapshot(admission).global().waiting()).isZero();
  }

  @Test
  void loopThatHasEndedWithALongQueue_isSkippedWithoutNesting() throws InterruptedException {
    int many = 20_000;
    var ceiling =
        new Admission(
            new AdmitSettings(
                1, 0, 64, 64, 64, many, Duration.ofMinutes(10), false, Map.of(), Map.of()),
            List.of(),
            Ticker.system());
    var ended = new ThreadLoop();
    var live = new ThreadLoop();
    var held = new AtomicInteger();
    var first = new CountDownLatch(1);
    Waiter holder = waiter(live, first, held);
    live.execute(() -> ceiling.enter(holder));
    assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
    var queued = new CountDownLatch(1);
    ended.execute(
        () -> {
          for (int i = 0; i < many - 1; i++) {
            ceiling.enter(waiter(ended, new CountDownLatch(1), held));
          }
          queued.countDown();
        });
    assertThat(queued.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(snapshot(ceiling).global().waiting()).isEqualTo(many - 1);
    ended.endNow();
    var last = new CountDownLatch(1);
    Waiter behindAll = waiter(live, last, held);

    live.execute(() -> ceiling.enter(behindAll));
    live.execute(() -> ceiling.giveBack(holder));

    assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
    live.end();
    assertThat(held.get()).isEqualTo(2);
    assertThat(snapshot(ceiling).global().inFlight()).isEqualTo(1);
    assertThat(snapshot(ceiling).global().waiting()).isZero();
  }

  private static Waiter waiter(Loop loop, CountDownLatch granted, AtomicInteger held) {
    var waiter =
        new Waiter(
            new Waiter.Listener() {
              @Override
              public void granted() {
                held.incrementAndGet();
                granted.countDown();
              }

              @Override
              public void shed(Cause cause, long predictedWaitNanos) {
                granted.countDown();
              }
            },
            loop);
    waiter.prepare("r", Priority.NORMAL, 1);
    return waiter;
  }

  /** Drives one waiter at a time through everything that can befall it. Confined to its loop. */
  private final class Driver implements Waiter.Listener {
    private final ThreadLoop loop;
    private final Waiter[] waiters = new Waiter[8];
    private final boolean[] busy = new boolean[waiters.length];
    private int current;
    private int rounds;

    Driver(ThreadLoop loop) {
      this.loop = loop;
    }

    void next() {
      // Not before all that can befall a waiter has been seen.
      if (rounds++ >= ROUNDS && shed.get() > 0) {
        for (int i = 0; i < waiters.length; i++) {
          if (busy[i] && waiters[i] != null) {
            busy[i] = false;
            admission.leave(waiters[i]);
          }
        }
        done.countDown();
        return;
      }
      int at = ThreadLocalRandom.current().nextInt(waiters.length);
      if (!busy[at]) {
        start(at);
      } else if (ThreadLocalRandom.current().nextInt(3) == 0 && waiters[at] != null) {
        busy[at] = false;
        admission.leave(waiters[at]);
      }
      loop.execute(this::next);
    }

    private void start(int at) {
      int mine = at;
      busy[at] = true;
      Waiter waiter =
          new Waiter(
              new Waiter.Listener() {
                @Override
                public void granted() {
                  current = mine;
                  Driver.this.granted();
                }

                @Override
                public void shed(Cause cause, long predictedWaitNanos) {
                  current = mine;
                  Driver.this.shed(cause, predictedWaitNanos);
                }
              },
              loop);
      waiters[at] = waiter;
      waiter.prepare("route" + at % 3, Priority.values()[at % Priority.values().length], 1);
      admission.enter(waiter);
    }

    @Override
    public void granted() {
      int at = current;
      granted.incrementAndGet();
      peak.accumulateAndGet(holding.incrementAndGet(), Math::max);
      Waiter waiter = waiters[at];
      loop.execute(
          () -> {
            holding.decrementAndGet();
            admission.giveBack(waiter);
            busy[at] = false;
          });
      // Not to be left any more: it holds its permit until the task above runs.
      waiters[at] = null;
    }

    @Override
    public void shed(Cause cause, long predictedWaitNanos) {
      shed.incrementAndGet();
      busy[current] = false;
    }
  }
}
