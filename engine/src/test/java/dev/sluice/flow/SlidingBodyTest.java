package dev.sluice.flow;

import static dev.sluice.flow.KeptFlow.BLOCK;
import static dev.sluice.flow.KeptFlow.GRACE;
import static dev.sluice.flow.KeptFlow.WINDOW;
import static dev.sluice.flow.KeptFlow.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.outcome.Cause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A kept body that met its bound: it slides behind its readers, and who holds up others is cut
 * (DEC-26).
 */
class SlidingBodyTest {

  @RegisterExtension final KeptFlow flow = new KeptFlow();

  @Test
  void pastItsBound_itSlidesAndNobodyBoards() {
    KeptBody body = flow.kept(100_000);
    ScriptedReader reader = flow.reader(body, flow.far);
    flow.append(100_000);
    assertThat(body.isBoardable()).isTrue();
    flow.append(1);

    assertThat(flow.events).containsExactly("resume", "slid OVERSIZE");
    assertThat(body.isBoardable()).isFalse();
    assertThatThrownBy(() -> flow.home.on(() -> body.follower(flow.far)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> body.store(flow.budget, 1)).isInstanceOf(IllegalStateException.class);
    flow.drain();
    flow.complete();
    flow.drain();
    assertThat(reader.bytes()).isEqualTo(content(100_001));
    flow.home.on(body::release);
  }

  @Test
  void withoutRoomInTheProcess_itSlidesAndLosesNothing() {
    flow.budget = new ByteBudget(3 * BLOCK);
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader reader = flow.reader(body, flow.far);
    flow.append(3 * BLOCK + 1);
    assertThat(flow.events).containsExactly("resume", "slid MEMORY");
    flow.drain();
    flow.append(BLOCK);
    flow.complete();
    flow.drain();

    assertThat(reader.bytes()).isEqualTo(content(4 * BLOCK + 1));
    flow.home.on(body::release);
  }

  @Test
  void loneReaderOfASlidingBody_pacesItAndIsNeverCut() {
    KeptBody body = flow.kept(0);
    ScriptedReader slow = flow.reader(body, flow.far);
    slow.wantsMore = false;
    long mostHeld = 0;
    for (int i = 0; i < 50; i++) {
      int asked = flow.resumes();
      while (flow.append(20_000)) {
        flow.drain();
      }
      flow.drain();
      flow.home.advance(10 * GRACE);
      mostHeld = Math.max(mostHeld, flow.budget.used());
      assertThat(flow.resumes()).as("nothing is asked for before it read").isEqualTo(asked);
      while (flow.resumes() == asked) {
        flow.far.on(slow.body::resume);
        flow.drain();
      }
    }
    flow.complete();
    flow.far.on(slow::resume);
    flow.drain();

    assertThat(slow.bytes()).isEqualTo(content((int) flow.written));
    assertThat(slow.complete).isTrue();
    assertThat(mostHeld).isLessThanOrEqualTo(WINDOW + 20_000 + 2 * BLOCK);
    assertThat(flow.home.timers()).isZero();
    flow.home.on(body::release);
  }

  @Test
  void laggardThatPaused_isCutBehindTheGraceAndTheOthersGoOn() {
    KeptBody body = flow.kept(0);
    ScriptedReader laggard = flow.reader(body, flow.farther);
    ScriptedReader fast = flow.reader(body, flow.far);
    laggard.wantsMore = false;
    flow.fillUp();
    assertThat(fast.count()).isEqualTo(flow.written);

    flow.home.advance(GRACE - 1);
    flow.drain();
    assertThat(laggard.cause).isNull();
    int asked = flow.resumes();
    flow.home.advance(1);
    flow.drain();

    assertThat(laggard.cause).isEqualTo(Cause.LAGGARD);
    assertThat(flow.resumes()).isEqualTo(asked + 1);
    assertThat(flow.append(1000)).isTrue();
    flow.complete();
    flow.drain();
    assertThat(fast.bytes()).isEqualTo(content((int) flow.written));
    assertThat(fast.complete).isTrue();
    assertThat(laggard.complete).isFalse();
    flow.home.on(body::release);
  }

  @Test
  void laggardThatNeverCame_isCutAndToldWhenItComes() {
    KeptBody body = flow.kept(0);
    ScriptedReader absent = new ScriptedReader(flow.placeOn(body, flow.farther));
    flow.readers.add(absent);
    ScriptedReader fast = flow.reader(body, flow.far);
    flow.fillUp();
    flow.home.advance(GRACE);
    flow.drain();
    assertThat(flow.append(1000)).isTrue();

    flow.farther.on(() -> absent.body.follow(absent));
    assertThat(absent.cause).isEqualTo(Cause.LAGGARD);
    assertThat(absent.chunks).isZero();
    flow.complete();
    flow.drain();
    assertThat(fast.complete).isTrue();
    flow.home.on(body::release);
  }

  @Test
  void readerThatCaughtUpInTime_isSpared() {
    KeptBody body = flow.kept(0);
    ScriptedReader slow = flow.reader(body, flow.farther);
    ScriptedReader fast = flow.reader(body, flow.far);
    slow.wantsMore = false;
    flow.fillUp();
    flow.home.advance(GRACE - 1);
    flow.farther.on(slow::resume);
    flow.drain();
    slow.wantsMore = false;
    flow.fillUp();

    // Held up again: another grace, from its beginning.
    flow.home.advance(GRACE - 1);
    flow.drain();
    assertThat(slow.cause).isNull();
    flow.home.advance(1);
    flow.drain();
    assertThat(slow.cause).isEqualTo(Cause.LAGGARD);
    flow.complete();
    flow.drain();
    assertThat(fast.complete).isTrue();
    flow.home.on(body::release);
  }

  @Test
  void readerThatFallsBackWhileAnotherIsWatched_hasAGraceOfItsOwn() {
    KeptBody body = flow.kept(0);
    ScriptedReader first = flow.reader(body, flow.farther);
    ScriptedReader second = flow.reader(body, flow.farther);
    ScriptedReader fast = flow.reader(body, flow.far);
    first.wantsMore = false;
    flow.fillUp();
    // The second has read everything when the first one's grace begins.
    second.wantsMore = false;
    flow.home.advance(GRACE);
    flow.drain();
    assertThat(first.cause).isEqualTo(Cause.LAGGARD);
    flow.fillUp();
    flow.home.advance(GRACE - 1);
    flow.drain();
    assertThat(second.cause).isNull();
    flow.home.advance(1);
    flow.drain();
    assertThat(second.cause).isEqualTo(Cause.LAGGARD);
    flow.complete();
    flow.drain();
    assertThat(fast.complete).isTrue();
    flow.home.on(body::release);
  }

  /** Who was watched has come on but not far enough, and another holds everybody up by now. */
  @Test
  void graceThatEndsWithAnotherHoldingUp_isFollowedByThatOnes() {
    KeptBody body = flow.kept(0);
    ScriptedReader watched = flow.reader(body, flow.farther);
    ScriptedReader other = flow.reader(body, flow.farther);
    ScriptedReader fast = flow.reader(body, flow.far);
    watched.wantsMore = false;
    flow.append(20_000);
    flow.drain();
    other.wantsMore = false;
    flow.fillUp();
    long stood = watched.count();
    // Each reads a block at a time: the watched one is ahead of the other when it stops.
    for (int i = 0; i < 3; i++) {
      flow.farther.on(watched.body::resume);
      flow.drain();
    }
    assertThat(watched.count()).isGreaterThan(stood);
    flow.fillUp();
    flow.home.advance(GRACE);
    flow.drain();
    assertThat(watched.cause).isNull();
    assertThat(other.cause).isNull();

    flow.home.advance(GRACE);
    flow.drain();
    assertThat(other.cause).isEqualTo(Cause.LAGGARD);
    assertThat(watched.cause).isNull();
    flow.complete();
    flow.farther.on(watched::resume);
    flow.drain();
    assertThat(fast.complete).isTrue();
    assertThat(watched.bytes()).isEqualTo(content((int) flow.written));
    flow.home.on(body::release);
  }

  @Test
  void slowestOfReadersThatAllStandStill_isNotCut() {
    KeptBody body = flow.kept(0);
    ScriptedReader first = flow.reader(body, flow.far);
    ScriptedReader second = flow.reader(body, flow.farther);
    first.wantsMore = false;
    second.wantsMore = false;
    while (flow.append(20_000)) {
      flow.drain();
    }
    flow.drain();
    flow.home.advance(100 * GRACE);
    flow.drain();

    assertThat(first.cause).isNull();
    assertThat(second.cause).isNull();
    flow.far.on(first.body::desert);
    flow.farther.on(second.body::desert);
    flow.drain();
    flow.complete();
    flow.home.on(body::release);
  }
}
