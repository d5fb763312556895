package dev.sluice.flow;

import static dev.sluice.flow.KeptFlow.BLOCK;
import static dev.sluice.flow.KeptFlow.GRACE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A kept body that nobody follows, or a crowd on loops of its own, or on loops that end (DEC-28,
 * DEC-47).
 */
class KeptBodyCrowdTest {

  @RegisterExtension final KeptFlow flow = new KeptFlow();

  @Test
  void slidAndDeserted_dropsUpToItsBoundAndSaysSoOnce() {
    KeptBody body = flow.kept(new KeptLimits(50_000, GRACE, -1, 100_000));
    ScriptedReader leaver = flow.reader(body, flow.far);
    flow.append(60_000);
    flow.far.on(leaver.body::desert);
    flow.drain();

    assertThat(flow.append(100_000)).isTrue();
    assertThat(flow.events).containsExactly("resume", "slid OVERSIZE");
    assertThat(flow.append(1)).isTrue();
    assertThat(flow.append(100_000)).isTrue();
    assertThat(flow.events).containsExactly("resume", "slid OVERSIZE", "spent");
    assertThat(flow.budget.used()).isLessThanOrEqualTo(BLOCK);
    flow.complete();
    flow.home.on(body::release);
  }

  @Test
  void deserted_whilePaused_readsOnAtFullSpeed() {
    KeptBody body = flow.kept(0);
    ScriptedReader slow = flow.reader(body, flow.far);
    slow.wantsMore = false;
    while (flow.append(20_000)) {
      flow.drain();
    }
    flow.drain();
    int asked = flow.resumes();
    flow.far.on(slow.body::desert);
    flow.drain();

    assertThat(flow.resumes()).isEqualTo(asked + 1);
    assertThat(flow.append(500_000)).isTrue();
    flow.complete();
    flow.home.on(body::release);
  }

  @Test
  void storableWithoutFollowers_isKeptAndNotDiscarded() {
    KeptBody body = flow.kept(new KeptLimits(1 << 20, GRACE, -1, 10));
    flow.append(500_000);
    flow.complete();

    assertThat(flow.events).containsExactly("resume", "whole");
    StoredBody stored = body.store(new ByteBudget(1), 0);
    assertThat(stored.length()).isEqualTo(500_000);
    stored.unpin();
    flow.home.on(body::release);
  }

  @Test
  void bytesBehindTheLastHolder_areDropped() {
    KeptBody body = flow.kept(1 << 20);
    flow.append(1000);
    flow.home.on(body::release);

    assertThat(flow.append(100_000)).isTrue();
    assertThat(body.isBoardable()).isFalse();
    assertThat(flow.budget.used()).isZero();
    flow.complete();
  }

  @Test
  void aThousandReadersElsewhere_areServed64ATaskWithOneTaskAtATime() {
    KeptBody body = flow.kept(1 << 20);
    List<ScriptedReader> crowd = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      crowd.add(flow.reader(body, flow.far));
    }
    flow.append(100);
    flow.append(100);
    flow.complete();

    for (int served = 0; served < 1000; served = Math.min(1000, served + 64)) {
      assertThat(crowd.stream().filter(reader -> reader.complete)).hasSize(served);
      assertThat(flow.far.tasks.stream().filter(ReaderGroup.class::isInstance)).hasSize(1);
      flow.far.step();
    }
    assertThat(crowd).allMatch(reader -> reader.complete && reader.count() == 200);
    flow.drain();
    flow.home.on(body::release);
  }

  @Test
  void aThousandReadersAtHome_holdUpTheWriterFor64() {
    KeptBody body = flow.kept(1 << 20);
    List<ScriptedReader> crowd = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      crowd.add(flow.reader(body, flow.home));
    }
    flow.append(100);
    assertThat(crowd.stream().filter(reader -> reader.count() > 0)).hasSize(64);
    flow.complete();
    flow.drain();
    assertThat(crowd).allMatch(reader -> reader.complete && reader.count() == 100);
    flow.home.on(body::release);
  }

  @Test
  void loopWithoutReadersLeft_isNotAsked() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader leaver = flow.reader(body, flow.far);
    flow.far.on(leaver.body::desert);
    flow.drain();
    flow.append(100);

    assertThat(flow.far.tasks).isEmpty();
    flow.complete();
    flow.home.on(body::release);
  }

  @Test
  void crowdAtHomeOfASlidingBody_isLookedAtOnceForAllProgress() {
    KeptBody body = flow.kept(0);
    for (int i = 0; i < 60; i++) {
      flow.reader(body, flow.home);
    }
    flow.append(1000);
    assertThat(flow.home.tasks).hasSize(1);
    flow.drain();
    flow.complete();
    flow.drain();
    flow.home.on(body::release);
  }

  @Test
  void loopThatEnded_letsGoAndKeepsNewsFromNobodyElse() {
    KeptBody body = flow.kept(1 << 20);
    List<SteppedLoop> loops =
        List.of(flow.home, flow.far, flow.farther, new SteppedLoop(flow.ticker));
    List<ScriptedReader> each = loops.stream().map(loop -> flow.reader(body, loop)).toList();
    flow.append(100);
    loops.forEach(SteppedLoop::drain);
    flow.far.end();
    flow.farther.end();
    flow.append(100);
    flow.complete();
    loops.forEach(SteppedLoop::drain);

    assertThat(each.get(0).complete).isTrue();
    assertThat(each.get(3).complete).isTrue();
    assertThat(each.get(1).count()).isEqualTo(100);
    flow.drain();
    // Their connections close as the last thing.
    flow.far.on(each.get(1).body::desert);
    flow.farther.on(each.get(2).body::desert);
    flow.drain();
    flow.home.on(body::release);
  }

  /** What it took before it ended still runs, and reads what it was promised. */
  @Test
  void readerOnALoopThatEnds_readsOnWhatItsLastTasksAskFor() {
    KeptBody body = flow.kept(0);
    ScriptedReader ending = flow.reader(body, flow.far);
    ScriptedReader other = flow.reader(body, flow.farther);
    ending.wantsMore = false;
    flow.append(60_000);
    flow.drain();
    flow.far.tasks.add(ending::resume);
    flow.far.end();
    flow.append(1000);
    flow.farther.drain();

    flow.far.step();

    assertThat(ending.count()).isGreaterThan(16_384);
    flow.far.on(ending.body::desert);
    flow.complete();
    flow.drain();
    assertThat(other.complete).isTrue();
    flow.home.on(body::release);
  }

  @Test
  void loopThatEndsInMidCrowd_servesTheRestAtOnce() {
    KeptBody body = flow.kept(1 << 20);
    List<ScriptedReader> crowd = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      crowd.add(flow.reader(body, flow.far));
    }
    flow.append(100);
    flow.complete();
    flow.far.end();
    flow.far.step();

    assertThat(crowd).allMatch(reader -> reader.complete);
    flow.drain();
    flow.home.on(body::release);
  }

  @Test
  void laggardOnALoopThatEnded_holdsUpNobody() {
    KeptBody body = flow.kept(0);
    ScriptedReader laggard = flow.reader(body, flow.farther);
    ScriptedReader fast = flow.reader(body, flow.far);
    laggard.wantsMore = false;
    flow.fillUp();
    flow.farther.end();
    int asked = flow.resumes();
    flow.home.advance(GRACE);
    flow.drain();
    assertThat(flow.resumes()).as("its bytes may still be read there").isEqualTo(asked);

    flow.farther.on(laggard.body::desert);
    flow.drain();

    assertThat(flow.resumes()).isEqualTo(asked + 1);
    flow.complete();
    flow.drain();
    assertThat(fast.complete).isTrue();
    flow.home.on(body::release);
  }

  @Test
  void homeThatEnded_keepsNoBytesOfThoseWhoLeaveLater() {
    KeptBody body = flow.kept(1 << 20);
    ScriptedReader reader = flow.reader(body, flow.far);
    reader.wantsMore = false;
    flow.append(100_000);
    flow.drain();
    flow.home.on(body::release);
    flow.home.end();
    flow.far.on(reader.body::desert);
    flow.far.on(reader.body::desert);

    assertThat(flow.budget.used()).isZero();
  }
}
