package dev.sluice.flow;

import static dev.sluice.flow.KeptFlow.BLOCK;
import static dev.sluice.flow.KeptFlow.GRACE;
import static dev.sluice.flow.KeptFlow.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A body that keeps all its bytes: whoever follows gets them from the first (DEC-26). */
class KeptBodyTest {

  @RegisterExtension final KeptFlow flow = new KeptFlow();

  @Test
  void followers_onAnyLoopAtAnyTime_getAllFromTheFirstByte() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader early = flow.reader(body, flow.home);
    flow.append(30_000);
    ScriptedReader other = flow.reader(body, flow.far);
    flow.append(1);
    flow.append(50_000);
    ScriptedReader late = flow.reader(body, flow.farther);
    flow.complete();
    ScriptedReader behindTheEnd = flow.reader(body, flow.far);
    flow.drain();

    for (ScriptedReader reader : List.of(early, other, late, behindTheEnd)) {
      assertThat(reader.bytes()).isEqualTo(content(80_001));
      assertThat(reader.complete).isTrue();
    }
    flow.home.on(body::release);
  }

  @Test
  void kept_neverPacesItsWriter() {
    KeptBody body = flow.kept(4 << 20);
    ScriptedReader slow = flow.reader(body, flow.far);
    slow.wantsMore = false;

    for (int i = 0; i < 40; i++) {
      assertThat(flow.append(100_000)).isTrue();
      flow.drain();
    }
    assertThat(slow.count()).isEqualTo(BLOCK);
    assertThat(flow.events).containsExactly("resume");

    flow.complete();
    flow.far.on(slow::resume);
    assertThat(slow.bytes()).isEqualTo(content(4_000_000));
    assertThat(slow.complete).isTrue();
    flow.drain();
    flow.home.on(body::release);
  }

  @Test
  void knownLength_isChargedExactly() {
    KeptBody body = flow.kept(new KeptLimits(1 << 20, GRACE, BLOCK + 100, 1 << 20));
    flow.append(BLOCK + 100);
    assertThat(flow.budget.used()).isEqualTo(BLOCK + 100);
    flow.home.on(body::release);
  }

  /** Direct memory ends where it likes: that is the copy's failure and no reader's. */
  @Test
  void ownerThatFailsAtTheEnd_keepsItFromNobody() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader near = flow.reader(body, flow.home);
    ScriptedReader far = flow.reader(body, flow.far);
    flow.append(1000);
    flow.onWhole =
        () -> {
          throw new OutOfMemoryError("no copy");
        };

    assertThatThrownBy(flow::complete).isInstanceOf(OutOfMemoryError.class);

    flow.drain();
    assertThat(List.of(near, far)).allMatch(reader -> reader.complete);
    flow.home.on(body::release);
  }

  @Test
  void readerThatWasToldTheEnd_holdsNothing() {
    KeptBody body = flow.kept(1 << 20);
    flow.reader(body, flow.far);
    flow.reader(body, flow.home);
    flow.append(1000);
    flow.complete();
    flow.drain();

    // Neither reader deserts: a client that got everything has no reason to.
    flow.home.on(body::release);
    assertThat(flow.budget.used()).isZero();
  }

  /** Whoever knows the end may ask again, and is to find what was kept. */
  @Test
  void whole_isToldToTheOwnerBeforeAnyReader() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader here = flow.reader(body, flow.home);
    flow.append(1000);
    flow.complete();

    assertThat(here.complete).isTrue();
    assertThat(flow.events).containsExactly("resume", "whole");
    flow.home.on(body::release);
  }

  @Test
  void aborted_isToldBehindTheBytesAndEndsBoarding() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader reader = flow.reader(body, flow.far);
    flow.append(1000);
    flow.abort(Cause.ORIGIN_CUT_SHORT);
    flow.drain();

    assertThat(reader.count()).isEqualTo(1000);
    assertThat(reader.cause).isEqualTo(Cause.ORIGIN_CUT_SHORT);
    assertThat(reader.complete).isFalse();
    assertThat(body.isBoardable()).isFalse();
    assertThat(flow.events).containsExactly("resume", "cut short");
    assertThatThrownBy(() -> body.store(new ByteBudget(2000), 1000))
        .isInstanceOf(IllegalStateException.class);
    flow.home.on(body::release);
  }

  @Test
  void readerThatDesertsInMidChunk_getsNothingMore() {
    KeptBody body = flow.kept(1 << 20);
    flow.append(100_000);
    for (SteppedLoop loop : List.of(flow.home, flow.far)) {
      ScriptedReader leaver = new ScriptedReader(flow.placeOn(body, loop));
      leaver.onChunk = leaver.body::desert;
      leaver.onFlush = () -> flow.events.add("flush after desert");
      flow.follow(leaver, loop);
      assertThat(leaver.chunks).isEqualTo(1);
    }
    flow.complete();
    flow.drain();
    assertThat(flow.readers).noneMatch(reader -> reader.complete);
    assertThat(flow.events).containsExactly("resume", "whole");
    flow.home.on(body::release);
  }

  @Test
  void lastHolderThatDesertsInMidChunk_letsTheBytesGo() {
    KeptBody body = flow.kept(1 << 20);
    flow.append(100_000);
    ScriptedReader leaver = new ScriptedReader(flow.placeOn(body, flow.home));
    leaver.onChunk = leaver.body::desert;
    flow.home.on(body::release);

    flow.follow(leaver, flow.home);

    assertThat(leaver.chunks).isEqualTo(1);
    assertThat(flow.budget.used()).isZero();
  }

  @Test
  void readerThatMakesRoomWhileItFlushes_isServedWithoutNesting() {
    KeptBody body = flow.kept(4 << 20);
    ScriptedReader reader = new ScriptedReader(flow.placeOn(body, flow.far));
    var depth = new int[2];
    reader.wantsMore = false;
    reader.onFlush =
        () -> {
          depth[1] = Math.max(depth[1], ++depth[0]);
          reader.body.resume();
          depth[0]--;
        };
    flow.append(3_000_000);
    flow.complete();

    flow.follow(reader, flow.far);

    assertThat(reader.bytes()).isEqualTo(content(3_000_000));
    assertThat(reader.complete).isTrue();
    assertThat(depth[1]).isEqualTo(1);
    flow.drain();
    flow.home.on(body::release);
  }

  @Test
  void place_isForOneReader() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader reader = flow.reader(body, flow.far);
    assertThatThrownBy(() -> flow.far.on(() -> reader.body.follow(reader)))
        .isInstanceOf(IllegalStateException.class);
    flow.complete();
    flow.drain();
    flow.home.on(body::release);
  }

  @Test
  void oneReadersFailure_isNotTheOthers() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader broken = flow.reader(body, flow.far);
    broken.onChunk =
        () -> {
          throw new IllegalStateException("a bug, on purpose");
        };
    ScriptedReader sound = flow.reader(body, flow.far);
    flow.append(1000);
    flow.complete();
    flow.drain();

    assertThat(broken.cause).isEqualTo(Cause.INTERNAL_ERROR);
    assertThat(sound.bytes()).isEqualTo(content(1000));
    assertThat(sound.complete).isTrue();
    flow.home.on(body::release);
  }

  @Test
  void store_copiesEverythingAndOnlyWhatIsWhole() {
    KeptBody body = flow.kept(1 << 20);
    flow.append(50_000);
    flow.complete();
    var account = new ByteBudget(60_000);
    assertThat(account.tryTake(50_300)).isTrue();

    StoredBody stored = body.store(account, 50_300);
    flow.home.on(body::release);

    ByteBuf copy = Unpooled.buffer();
    stored.copyTo(copy);
    assertThat(Arrays.copyOf(copy.array(), copy.readableBytes())).isEqualTo(content(50_000));
    stored.unpin();
    assertThat(account.used()).isZero();
  }
}
