package dev.sluice.governor.reuse.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** DEC-39: a landing and a purge exclude each other, whichever comes first. */
class PurgeLogTest {

  private final PurgeLog log = new PurgeLog();

  @Test
  void landing_isRefusedByAnyPurgeSinceThatMeantIt() {
    log.append(new PurgeSelector.Path("/a"));
    long noted = log.number();
    assertThat(lands(noted)).as("a purge before it asked").isTrue();
    log.append(new PurgeSelector.Path("/b"));
    assertThat(lands(noted)).as("a purge of something else").isTrue();
    log.append(new PurgeSelector.Tag("t"));
    assertThat(lands(noted)).isFalse();
    assertThat(lands(log.number())).isTrue();
  }

  /** A purge that comes while an answer is being put in waits, so that it finds it there. */
  @Test
  void purge_whileALandingIsUnderWay_comesBehindIt() throws InterruptedException {
    var inside = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var kept = new AtomicBoolean();
    var sawItKept = new AtomicBoolean();
    Thread landing =
        new Thread(
            () ->
                log.unlessPurged(
                    0,
                    "/a",
                    List.of(),
                    () -> {
                      inside.countDown();
                      await(goOn);
                      kept.set(true);
                      return true;
                    }));
    Thread purge =
        new Thread(
            () -> {
              log.append(new PurgeSelector.Path("/a"));
              sawItKept.set(kept.get());
            });
    landing.start();
    await(inside);
    purge.start();
    while (purge.getState() != Thread.State.WAITING && purge.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(log.number()).isZero();
    goOn.countDown();
    landing.join(10_000);
    purge.join(10_000);

    assertThat(log.number()).isEqualTo(1);
    assertThat(sawItKept).isTrue();
  }

  private boolean lands(long noted) {
    return log.unlessPurged(noted, "/a", List.of("t"), () -> true);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
