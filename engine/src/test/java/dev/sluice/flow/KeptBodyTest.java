package dev.sluice.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeTicker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** DEC-26, DEC-28 and DEC-47 on loops that the test steps through. */
class KeptBodyTest {

  private static final int KIB = 1024;
  private static final int BLOCK = 16 * KIB;
  private static final int WINDOW = 64 * KIB;
  private static final long GRACE = Duration.ofSeconds(2).toNanos();

  private final FakeTicker ticker = new FakeTicker();
  private final SteppedLoop home = new SteppedLoop(ticker);
  private final SteppedLoop far = new SteppedLoop(ticker);
  private final SteppedLoop farther = new SteppedLoop(ticker);
  private final List<String> events = new ArrayList<>();
  private final List<ByteBuf> made = new ArrayList<>();
  private final List<ScriptedReader> readers = new ArrayList<>();
  private final Body source = new Body(() -> events.add("resume"), WINDOW, null);
  private ByteBudget budget = new ByteBudget(64 << 20);
  private long written;

  /** Whatever a test did: once everybody has let go, no byte is held and no buffer lives. */
  @AfterEach
  void nothingIsLeft() {
    assertThat(budget.used()).isZero();
    assertThat(made).allMatch(chunk -> chunk.refCnt() == 0);
    assertThat(readers).allMatch(r -> r.buffers.stream().allMatch(chunk -> chunk.refCnt() == 0));
  }

  // Kept.

  @Test
  void followers_onAnyLoopAtAnyTime_getAllFromTheFirstByte() {
    KeptBody body = kept(1 << 20);
    ScriptedReader early = reader(body, home);
    append(30_000);
    ScriptedReader other = reader(body, far);
    append(1);
    append(50_000);
    ScriptedReader late = reader(body, farther);
    complete();
    ScriptedReader behindTheEnd = reader(body, far);
    drain();

    for (ScriptedReader reader : List.of(early, other, late, behindTheEnd)) {
      assertThat(reader.bytes()).isEqualTo(content(80_001));
      assertThat(reader.complete).isTrue();
    }
    home.on(body::release);
  }

  @Test
  void kept_neverPacesItsWriter() {
    KeptBody body = kept(4 << 20);
    ScriptedReader slow = reader(body, far);
    slow.wantsMore = false;

    for (int i = 0; i < 40; i++) {
      assertThat(append(100_000)).isTrue();
      drain();
    }
    assertThat(slow.count()).isEqualTo(BLOCK);
    assertThat(events).containsExactly("resume");

    complete();
    far.on(slow::resume);
    assertThat(slow.bytes()).isEqualTo(content(4_000_000));
    assertThat(slow.complete).isTrue();
    drain();
    home.on(body::release);
  }

  @Test
  void knownLength_isChargedExactly() {
    KeptBody body = kept(new KeptLimits(1 << 20, GRACE, BLOCK + 100, 1 << 20));
    append(BLOCK + 100);
    assertThat(budget.used()).isEqualTo(BLOCK + 100);
    home.on(body::release);
  }

  @Test
  void readerThatWasToldTheEnd_holdsNothing() {
    KeptBody body = kept(1 << 20);
    reader(body, far);
    reader(body, home);
    append(1000);
    complete();
    drain();

    // Neither reader deserts: a client that got everything has no reason to.
    home.on(body::release);
    assertThat(budget.used()).isZero();
  }

  /** Whoever knows the end may ask again, and is to find what was kept. */
  @Test
  void whole_isToldToTheOwnerBeforeAnyReader() {
    KeptBody body = kept(1 << 20);
    ScriptedReader here = reader(body, home);
    append(1000);
    complete();

    assertThat(here.complete).isTrue();
    assertThat(events).containsExactly("resume", "whole");
    home.on(body::release);
  }

  @Test
  void aborted_isToldBehindTheBytesAndEndsBoarding() {
    KeptBody body = kept(1 << 20);
    ScriptedReader reader = reader(body, far);
    append(1000);
    home.on(() -> source.abort(Cause.ORIGIN_CUT_SHORT));
    drain();

    assertThat(reader.count()).isEqualTo(1000);
    assertThat(reader.cause).isEqualTo(Cause.ORIGIN_CUT_SHORT);
    assertThat(reader.complete).isFalse();
    assertThat(body.isBoardable()).isFalse();
    assertThat(events).containsExactly("resume", "cut short");
    assertThatThrownBy(() -> body.store(new ByteBudget(2000), 1000))
        .isInstanceOf(IllegalStateException.class);
    home.on(body::release);
  }

  @Test
  void readerThatDesertsInMidChunk_getsNothingMore() {
    KeptBody body = kept(1 << 20);
    append(100_000);
    for (SteppedLoop loop : List.of(home, far)) {
      ScriptedReader leaver = new ScriptedReader(placeOn(body, loop));
      leaver.onChunk = leaver.body::desert;
      leaver.onFlush = () -> events.add("flush after desert");
      follow(leaver, loop);
      assertThat(leaver.chunks).isEqualTo(1);
    }
    complete();
    drain();
    assertThat(readers).noneMatch(reader -> reader.complete);
    assertThat(events).containsExactly("resume", "whole");
    home.on(body::release);
  }

  @Test
  void lastHolderThatDesertsInMidChunk_letsTheBytesGo() {
    KeptBody body = kept(1 << 20);
    append(100_000);
    ScriptedReader leaver = new ScriptedReader(placeOn(body, home));
    leaver.onChunk = leaver.body::desert;
    home.on(body::release);

    follow(leaver, home);

    assertThat(leaver.chunks).isEqualTo(1);
    assertThat(budget.used()).isZero();
  }

  @Test
  void readerThatMakesRoomWhileItFlushes_isServedWithoutNesting() {
    KeptBody body = kept(4 << 20);
    ScriptedReader reader = new ScriptedReader(placeOn(body, far));
    var depth = new int[2];
    reader.wantsMore = false;
    reader.onFlush =
        () -> {
          depth[1] = Math.max(depth[1], ++depth[0]);
          reader.body.resume();
          depth[0]--;
        };
    append(3_000_000);
    complete();

    follow(reader, far);

    assertThat(reader.bytes()).isEqualTo(content(3_000_000));
    assertThat(reader.complete).isTrue();
    assertThat(depth[1]).isEqualTo(1);
    drain();
    home.on(body::release);
  }

  @Test
  void place_isForOneReader() {
    KeptBody body = kept(1 << 20);
    ScriptedReader reader = reader(body, far);
    assertThatThrownBy(() -> far.on(() -> reader.body.follow(reader)))
        .isInstanceOf(IllegalStateException.class);
    complete();
    drain();
    home.on(body::release);
  }

  @Test
  void oneReadersFailure_isNotTheOthers() {
    KeptBody body = kept(1 << 20);
    ScriptedReader broken = reader(body, far);
    broken.onChunk =
        () -> {
          throw new IllegalStateException("a bug, on purpose");
        };
    ScriptedReader sound = reader(body, far);
    append(1000);
    complete();
    drain();

    assertThat(broken.cause).isEqualTo(Cause.INTERNAL_ERROR);
    assertThat(sound.bytes()).isEqualTo(content(1000));
    assertThat(sound.complete).isTrue();
    home.on(body::release);
  }

  @Test
  void store_copiesEverythingAndOnlyWhatIsWhole() {
    KeptBody body = kept(1 << 20);
    append(50_000);
    complete();
    var account = new ByteBudget(60_000);
    assertThat(account.tryTake(50_300)).isTrue();

    StoredBody stored = body.store(account, 50_300);
    home.on(body::release);

    ByteBuf copy = Unpooled.buffer();
    stored.copyTo(copy);
    assertThat(Arrays.copyOf(copy.array(), copy.readableBytes())).isEqualTo(content(50_000));
    stored.unpin();
    assertThat(account.used()).isZero();
  }

  // Sliding.

  @Test
  void pastItsBound_itSlidesAndNobodyBoards() {
    KeptBody body = kept(100_000);
    ScriptedReader reader = reader(body, far);
    append(100_000);
    assertThat(body.isBoardable()).isTrue();
    append(1);

    assertThat(events).containsExactly("resume", "slid OVERSIZE");
    assertThat(body.isBoardable()).isFalse();
    assertThatThrownBy(() -> home.on(() -> body.follower(far)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> body.store(budget, 1)).isInstanceOf(IllegalStateException.class);
    drain();
    complete();
    drain();
    assertThat(reader.bytes()).isEqualTo(content(100_001));
    home.on(body::release);
  }

  @Test
  void withoutRoomInTheProcess_itSlidesAndLosesNothing() {
    budget = new ByteBudget(3 * BLOCK);
    KeptBody body = kept(1 << 20);
    ScriptedReader reader = reader(body, far);
    append(3 * BLOCK + 1);
    assertThat(events).containsExactly("resume", "slid MEMORY");
    drain();
    append(BLOCK);
    complete();
    drain();

    assertThat(reader.bytes()).isEqualTo(content(4 * BLOCK + 1));
    home.on(body::release);
  }

  @Test
  void loneReaderOfASlidingBody_pacesItAndIsNeverCut() {
    KeptBody body = kept(0);
    ScriptedReader slow = reader(body, far);
    slow.wantsMore = false;
    long mostHeld = 0;
    for (int i = 0; i < 50; i++) {
      int asked = resumes();
      while (append(20_000)) {
        drain();
      }
      drain();
      home.advance(10 * GRACE);
      mostHeld = Math.max(mostHeld, budget.used());
      assertThat(resumes()).as("nothing is asked for before it read").isEqualTo(asked);
      while (resumes() == asked) {
        far.on(slow.body::resume);
        drain();
      }
    }
    complete();
    far.on(slow::resume);
    drain();

    assertThat(slow.bytes()).isEqualTo(content((int) written));
    assertThat(slow.complete).isTrue();
    assertThat(mostHeld).isLessThanOrEqualTo(WINDOW + 20_000 + 2 * BLOCK);
    assertThat(home.timers()).isZero();
    home.on(body::release);
  }

  @Test
  void laggardThatPaused_isCutBehindTheGraceAndTheOthersGoOn() {
    KeptBody body = kept(0);
    ScriptedReader laggard = reader(body, farther);
    ScriptedReader fast = reader(body, far);
    laggard.wantsMore = false;
    fillUp();
    assertThat(fast.count()).isEqualTo(written);

    home.advance(GRACE - 1);
    drain();
    assertThat(laggard.cause).isNull();
    int asked = resumes();
    home.advance(1);
    drain();

    assertThat(laggard.cause).isEqualTo(Cause.LAGGARD);
    assertThat(resumes()).isEqualTo(asked + 1);
    assertThat(append(1000)).isTrue();
    complete();
    drain();
    assertThat(fast.bytes()).isEqualTo(content((int) written));
    assertThat(fast.complete).isTrue();
    assertThat(laggard.complete).isFalse();
    home.on(body::release);
  }

  @Test
  void laggardThatNeverCame_isCutAndToldWhenItComes() {
    KeptBody body = kept(0);
    ScriptedReader absent = new ScriptedReader(placeOn(body, farther));
    readers.add(absent);
    ScriptedReader fast = reader(body, far);
    fillUp();
    home.advance(GRACE);
    drain();
    assertThat(append(1000)).isTrue();

    farther.on(() -> absent.body.follow(absent));
    assertThat(absent.cause).isEqualTo(Cause.LAGGARD);
    assertThat(absent.chunks).isZero();
    complete();
    drain();
    assertThat(fast.complete).isTrue();
    home.on(body::release);
  }

  @Test
  void readerThatCaughtUpInTime_isSpared() {
    KeptBody body = kept(0);
    ScriptedReader slow = reader(body, farther);
    ScriptedReader fast = reader(body, far);
    slow.wantsMore = false;
    fillUp();
    home.advance(GRACE - 1);
    farther.on(slow::resume);
    drain();
    slow.wantsMore = false;
    fillUp();

    // Held up again: another grace, from its beginning.
    home.advance(GRACE - 1);
    drain();
    assertThat(slow.cause).isNull();
    home.advance(1);
    drain();
    assertThat(slow.cause).isEqualTo(Cause.LAGGARD);
    complete();
    drain();
    assertThat(fast.complete).isTrue();
    home.on(body::release);
  }

  @Test
  void readerThatFallsBackWhileAnotherIsWatched_hasAGraceOfItsOwn() {
    KeptBody body = kept(0);
    ScriptedReader first = reader(body, farther);
    ScriptedReader second = reader(body, farther);
    ScriptedReader fast = reader(body, far);
    first.wantsMore = false;
    fillUp();
    // The second has read everything when the first one's grace begins.
    second.wantsMore = false;
    home.advance(GRACE);
    drain();
    assertThat(first.cause).isEqualTo(Cause.LAGGARD);
    fillUp();
    home.advance(GRACE - 1);
    drain();
    assertThat(second.cause).isNull();
    home.advance(1);
    drain();
    assertThat(second.cause).isEqualTo(Cause.LAGGARD);
    complete();
    drain();
    assertThat(fast.complete).isTrue();
    home.on(body::release);
  }

  /** Who was watched has come on but not far enough, and another holds everybody up by now. */
  @Test
  void graceThatEndsWithAnotherHoldingUp_isFollowedByThatOnes() {
    KeptBody body = kept(0);
    ScriptedReader watched = reader(body, farther);
    ScriptedReader other = reader(body, farther);
    ScriptedReader fast = reader(body, far);
    watched.wantsMore = false;
    append(20_000);
    drain();
    other.wantsMore = false;
    fillUp();
    long stood = watched.count();
    // Each reads a block at a time: the watched one is ahead of the other when it stops.
    for (int i = 0; i < 3; i++) {
      farther.on(watched.body::resume);
      drain();
    }
    assertThat(watched.count()).isGreaterThan(stood);
    fillUp();
    home.advance(GRACE);
    drain();
    assertThat(watched.cause).isNull();
    assertThat(other.cause).isNull();

    home.advance(GRACE);
    drain();
    assertThat(other.cause).isEqualTo(Cause.LAGGARD);
    assertThat(watched.cause).isNull();
    complete();
    farther.on(watched::resume);
    drain();
    assertThat(fast.complete).isTrue();
    assertThat(watched.bytes()).isEqualTo(content((int) written));
    home.on(body::release);
  }

  @Test
  void slowestOfReadersThatAllStandStill_isNotCut() {
    KeptBody body = kept(0);
    ScriptedReader first = reader(body, far);
    ScriptedReader second = reader(body, farther);
    first.wantsMore = false;
    second.wantsMore = false;
    while (append(20_000)) {
      drain();
    }
    drain();
    home.advance(100 * GRACE);
    drain();

    assertThat(first.cause).isNull();
    assertThat(second.cause).isNull();
    far.on(first.body::desert);
    farther.on(second.body::desert);
    drain();
    complete();
    home.on(body::release);
  }

  // Nobody follows (DEC-28).

  @Test
  void slidAndDeserted_dropsUpToItsBoundAndSaysSoOnce() {
    KeptBody body = kept(new KeptLimits(50_000, GRACE, -1, 100_000));
    ScriptedReader leaver = reader(body, far);
    append(60_000);
    far.on(leaver.body::desert);
    drain();

    assertThat(append(100_000)).isTrue();
    assertThat(events).containsExactly("resume", "slid OVERSIZE");
    assertThat(append(1)).isTrue();
    assertThat(append(100_000)).isTrue();
    assertThat(events).containsExactly("resume", "slid OVERSIZE", "spent");
    assertThat(budget.used()).isLessThanOrEqualTo(BLOCK);
    complete();
    home.on(body::release);
  }

  @Test
  void deserted_whilePaused_readsOnAtFullSpeed() {
    KeptBody body = kept(0);
    ScriptedReader slow = reader(body, far);
    slow.wantsMore = false;
    while (append(20_000)) {
      drain();
    }
    drain();
    int asked = resumes();
    far.on(slow.body::desert);
    drain();

    assertThat(resumes()).isEqualTo(asked + 1);
    assertThat(append(500_000)).isTrue();
    complete();
    home.on(body::release);
  }

  @Test
  void storableWithoutFollowers_isKeptAndNotDiscarded() {
    KeptBody body = kept(new KeptLimits(1 << 20, GRACE, -1, 10));
    append(500_000);
    complete();

    assertThat(events).containsExactly("resume", "whole");
    StoredBody stored = body.store(new ByteBudget(1), 0);
    assertThat(stored.length()).isEqualTo(500_000);
    stored.unpin();
    home.on(body::release);
  }

  @Test
  void bytesBehindTheLastHolder_areDropped() {
    KeptBody body = kept(1 << 20);
    append(1000);
    home.on(body::release);

    assertThat(append(100_000)).isTrue();
    assertThat(body.isBoardable()).isFalse();
    assertThat(budget.used()).isZero();
    complete();
  }

  // Crowds and loops that end (DEC-47).

  @Test
  void aThousandReadersElsewhere_areServed64ATaskWithOneTaskAtATime() {
    KeptBody body = kept(1 << 20);
    List<ScriptedReader> crowd = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      crowd.add(reader(body, far));
    }
    append(100);
    append(100);
    complete();

    for (int served = 0; served < 1000; served = Math.min(1000, served + 64)) {
      assertThat(crowd.stream().filter(reader -> reader.complete)).hasSize(served);
      assertThat(far.tasks.stream().filter(ReaderGroup.class::isInstance)).hasSize(1);
      far.step();
    }
    assertThat(crowd).allMatch(reader -> reader.complete && reader.count() == 200);
    drain();
    home.on(body::release);
  }

  @Test
  void aThousandReadersAtHome_holdUpTheWriterFor64() {
    KeptBody body = kept(1 << 20);
    List<ScriptedReader> crowd = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      crowd.add(reader(body, home));
    }
    append(100);
    assertThat(crowd.stream().filter(reader -> reader.count() > 0)).hasSize(64);
    complete();
    drain();
    assertThat(crowd).allMatch(reader -> reader.complete && reader.count() == 100);
    home.on(body::release);
  }

  @Test
  void loopWithoutReadersLeft_isNotAsked() {
    KeptBody body = kept(1 << 20);
    ScriptedReader leaver = reader(body, far);
    far.on(leaver.body::desert);
    drain();
    append(100);

    assertThat(far.tasks).isEmpty();
    complete();
    home.on(body::release);
  }

  @Test
  void crowdAtHomeOfASlidingBody_isLookedAtOnceForAllProgress() {
    KeptBody body = kept(0);
    for (int i = 0; i < 60; i++) {
      reader(body, home);
    }
    append(1000);
    assertThat(home.tasks).hasSize(1);
    drain();
    complete();
    drain();
    home.on(body::release);
  }

  @Test
  void loopThatEnded_letsGoAndKeepsNewsFromNobodyElse() {
    KeptBody body = kept(1 << 20);
    List<SteppedLoop> loops = List.of(home, far, farther, new SteppedLoop(ticker));
    List<ScriptedReader> each = loops.stream().map(loop -> reader(body, loop)).toList();
    append(100);
    loops.forEach(SteppedLoop::drain);
    far.end();
    farther.end();
    append(100);
    complete();
    loops.forEach(SteppedLoop::drain);

    assertThat(each.get(0).complete).isTrue();
    assertThat(each.get(3).complete).isTrue();
    assertThat(each.get(1).count()).isEqualTo(100);
    drain();
    // Their connections close as the last thing; that they let go already does no harm.
    far.on(each.get(1).body::desert);
    home.on(body::release);
  }

  @Test
  void loopThatEndsInMidCrowd_servesTheRestAtOnce() {
    KeptBody body = kept(1 << 20);
    List<ScriptedReader> crowd = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      crowd.add(reader(body, far));
    }
    append(100);
    complete();
    far.end();
    far.step();

    assertThat(crowd).allMatch(reader -> reader.complete);
    drain();
    home.on(body::release);
  }

  @Test
  void laggardOnALoopThatEnded_holdsUpNobody() {
    KeptBody body = kept(0);
    ScriptedReader laggard = reader(body, farther);
    ScriptedReader fast = reader(body, far);
    laggard.wantsMore = false;
    fillUp();
    farther.end();
    int asked = resumes();
    home.advance(GRACE);
    drain();

    assertThat(resumes()).isEqualTo(asked + 1);
    complete();
    drain();
    assertThat(fast.complete).isTrue();
    home.on(body::release);
  }

  @Test
  void homeThatEnded_keepsNoBytesOfThoseWhoLeaveLater() {
    KeptBody body = kept(1 << 20);
    ScriptedReader reader = reader(body, far);
    reader.wantsMore = false;
    append(100_000);
    drain();
    home.on(body::release);
    home.end();
    far.on(reader.body::desert);
    far.on(reader.body::desert);

    assertThat(budget.used()).isZero();
  }

  // The world.

  private KeptBody kept(long bodyMax) {
    return kept(new KeptLimits(bodyMax, GRACE, -1, 1 << 30));
  }

  private KeptBody kept(KeptLimits limits) {
    var owner =
        new KeptBody.Owner() {
          @Override
          public void slid(BypassReason why) {
            events.add("slid " + why);
          }

          @Override
          public void whole() {
            boolean late = readers.stream().anyMatch(reader -> reader.complete);
            events.add(late ? "whole, too late" : "whole");
          }

          @Override
          public void cutShort() {
            events.add("cut short");
          }

          @Override
          public void discardSpent() {
            events.add("spent");
          }
        };
    var body = new KeptBody(source, home, limits, budget, owner);
    home.on(body::begin);
    return body;
  }

  private ReadableBody placeOn(KeptBody body, SteppedLoop loop) {
    var place = new ReadableBody[1];
    home.on(() -> place[0] = body.follower(loop));
    return place[0];
  }

  private ScriptedReader reader(KeptBody body, SteppedLoop loop) {
    return follow(new ScriptedReader(placeOn(body, loop)), loop);
  }

  private ScriptedReader follow(ScriptedReader reader, SteppedLoop loop) {
    readers.add(reader);
    loop.on(() -> reader.body.follow(reader));
    return reader;
  }

  /** Writes and flushes; whether the writer may go on. */
  private boolean append(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(written++);
    }
    ByteBuf chunk = Unpooled.directBuffer(length).writeBytes(bytes);
    made.add(chunk);
    var more = new boolean[1];
    home.on(
        () -> {
          more[0] = source.append(chunk);
          source.flush();
        });
    return more[0];
  }

  /** Writes until somebody holds it up, everybody else having read everything. */
  private void fillUp() {
    int asked = resumes();
    boolean more = append(10_000);
    drain();
    while (more || resumes() > asked) {
      asked = resumes();
      more = append(10_000);
      drain();
    }
  }

  private void complete() {
    home.on(() -> source.complete(Trailers.NONE));
  }

  private int resumes() {
    return (int) events.stream().filter("resume"::equals).count();
  }

  private void drain() {
    List<SteppedLoop> loops = List.of(home, far, farther);
    while (loops.stream().filter(SteppedLoop::step).count() > 0) {
      // Another round.
    }
  }

  private static byte at(long offset) {
    return (byte) (offset * 31 + (offset >>> 8));
  }

  private static byte[] content(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(i);
    }
    return bytes;
  }
}
