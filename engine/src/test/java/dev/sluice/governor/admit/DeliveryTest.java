package dev.sluice.governor.admit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Priority;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import dev.sluice.time.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DEC-48: results go to their loops, whatever fails and whichever loop has ended. */
class DeliveryTest {

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final List<String> events = new ArrayList<>();

  /** What the choice of an upstream does before it answers: may fail, or ask for more. */
  private Runnable onChoice = () -> {};

  private Admission admission;

  /** Three permits at one upstream. */
  @BeforeEach
  void start() {
    admission = admission();
  }

  // Loops.

  @Test
  void resultsOfOtherLoops_goThereInOrderAndByOneTaskEach() {
    Admission three = new Admission(new Limit(4).settings(), List.of(), ticker);
    var left = new OtherLoop();
    var right = new OtherLoop();
    Place held = enter(three, loop, "held", 4);
    enter(three, left, "l1", 1);
    enter(three, right, "r2", 1);
    enter(three, loop, "own3", 1);
    enter(three, left, "l4", 1);

    three.giveBack(held.waiter);

    assertThat(events).containsExactly("held granted", "own3 granted");
    assertThat(left.tasks).hasSize(1);
    assertThat(right.tasks).hasSize(1);
    right.runTask();
    left.runTask();
    assertThat(events)
        .containsExactly("held granted", "own3 granted", "r2 granted", "l1 granted", "l4 granted");
  }

  @Test
  void loopThatHasEnded_handsOnWhatItWasGranted() {
    Admission three = new Admission(new Limit(3).settings(), List.of(), ticker);
    var ended = new OtherLoop();
    var other = new OtherLoop();
    Place held = enter(three, loop, "held", 3);
    enter(three, ended, "e1", 1);
    enter(three, ended, "e2", 1);
    enter(three, other, "o3", 1);
    enter(three, loop, "next4", 1);
    enter(three, loop, "next5", 1);
    ended.ended = true;

    three.giveBack(held.waiter);
    other.runTask();

    assertThat(events)
        .containsExactly("held granted", "next4 granted", "next5 granted", "o3 granted");
    assertThat(three.snapshot().global()).isEqualTo(new Snapshot.Scope(3, 3, 0));
  }

  // Failures.

  @Test
  void newcomerWhoseChoiceFails_isShed() {
    onChoice = once(DeliveryTest::fail);

    enter(admission, loop, "unlucky", 1);
    enter(admission, loop, "next", 1);

    assertThat(events).containsExactly("unlucky shed INTERNAL_ERROR", "next at u");
    assertThat(admission.snapshot().global().inFlight()).isEqualTo(1);
  }

  @Test
  void queuedNewcomerWhoseChoiceFails_isShed() {
    onChoice =
        once(
            () -> {
              onChoice = once(DeliveryTest::fail);
              enter(admission, loop, "inner", 1);
            });

    enter(admission, loop, "outer", 1);

    assertThat(events).containsExactly("outer at u", "inner shed INTERNAL_ERROR");
  }

  @Test
  void waiterWhoseGrantFails_isShed_andHoldsUpNobody() {
    Place one = enter(admission, loop, "one", 3);
    Place.enter(admission, loop, events, "unlucky", "once", Priority.NORMAL, 1);
    enter(admission, loop, "behind", 1);
    onChoice = once(DeliveryTest::fail);

    admission.giveBack(one.waiter);

    assertThat(events).containsExactly("one at u", "unlucky shed INTERNAL_ERROR", "behind at u");
    assertThat(admission.snapshot().routes()).containsOnlyKeys("r");
    assertThat(admission.snapshot().global()).isEqualTo(new Snapshot.Scope(10, 1, 0));
  }

  @Test
  void moverWhoseMoveFreesOneThatCannotBeCharged_hasMoved() {
    admission.choose(() -> choice("v", "u"));
    enter(admission, loop, "other", 1);
    admission.choose(() -> choice("u", "v"));
    Place mover = enter(admission, loop, "mover", 1);
    enter(admission, loop, "unlucky", 3);
    onChoice = once(() -> onChoice = once(DeliveryTest::fail));

    admission.move(mover.waiter);

    assertThat(events)
        .containsExactly(
            "other at v", "mover at u", "mover moved to v", "unlucky shed INTERNAL_ERROR");
    assertThat(admission.snapshot().global()).isEqualTo(new Snapshot.Scope(10, 2, 0));
  }

  @Test
  void moveWhoseChoiceFails_staysWhereItIs() {
    Place held = enter(admission, loop, "held", 1);
    onChoice = once(DeliveryTest::fail);

    admission.move(held.waiter);

    assertThat(events).containsExactly("held at u", "held stays at u");
    admission.giveBack(held.waiter);
    assertThat(admission.snapshot().global().inFlight()).isZero();
  }

  // The drain's own time.

  @Test
  void longestDrain_isOfSeveralCommands() {
    Place held = enter(admission, loop, "held", 1);
    onChoice =
        once(
            () -> {
              enter(admission, loop, "waits", 2);
              admission.giveBack(held.waiter);
              onChoice = once(() -> ticker.advance(11));
            });

    enter(admission, loop, "outer", 1);

    assertThat(events).containsExactly("held at u", "outer at u", "waits at u");
    assertThat(admission.snapshot().longestDrainNanos()).isEqualTo(11);
  }

  /** A round behind several commands looks at the clock. */
  @Test
  void drain_isOverWhenNothingIsLeft() {
    var looks = new AtomicInteger();
    Admission looking =
        new Admission(
            settings(3),
            List.of(),
            () -> {
              looks.incrementAndGet();
              return ticker.nanos();
            });
    looking.choose(() -> choice("u"));
    onChoice =
        once(
            () -> {
              enter(looking, loop, "one", 1);
              enter(looking, loop, "two", 1);
            });

    enter(looking, loop, "outer", 1);

    assertThat(events).containsExactly("outer at u", "one at u", "two at u");
    assertThat(looks).hasValueBetween(1, 8);
  }

  @Test
  void longestDrain_isNotOfOneCommand() {
    enter(admission, loop, "held", 3);
    enter(admission, loop, "first", 3);
    enter(admission, loop, "second", 3);
    onChoice = () -> onChoice = once(() -> ticker.advance(11));

    admission.reload(settings(9), List.of());

    assertThat(events).containsExactly("held at u", "first at u", "second at u");
    assertThat(admission.snapshot().longestDrainNanos()).isZero();
  }

  /** The time of each drain is its own. */
  @Test
  void waitedTime_isUpToTheReloadThatGrants() {
    enter(admission, loop, "held", 3);
    Place waits = enter(admission, loop, "waits", 3);
    ticker.advance(MILLISECONDS.toNanos(500));

    admission.reload(settings(6), List.of());

    assertThat(waits.waiter.waitedNanos()).isEqualTo(MILLISECONDS.toNanos(500));
  }

  private Runnable once(Runnable action) {
    return () -> {
      onChoice = () -> {};
      action.run();
    };
  }

  private static void fail() {
    throw new IllegalStateException("as the test wants it");
  }

  private Place enter(Admission to, Loop by, String name, int weight) {
    return Place.enter(to, by, events, name, "r", Priority.NORMAL, weight);
  }

  private Admission admission() {
    var made = new Admission(settings(3), List.of(), ticker);
    made.choose(() -> choice("u"));
    return made;
  }

  /** The first that has room. */
  private UpstreamChoice choice(String... upstreams) {
    return new UpstreamChoice() {
      @Override
      public List<String> inUse() {
        return List.of(upstreams);
      }

      @Override
      public int configured() {
        return upstreams.length;
      }

      @Override
      public int choose(long affinity, Charges charges) {
        onChoice.run();
        return IntStream.range(0, upstreams.length)
            .filter(charges::hasRoom)
            .findFirst()
            .orElse(NONE);
      }
    };
  }

  private static AdmitSettings settings(int perUpstream) {
    return new AdmitSettings(
        10, perUpstream, 64, 256, 64, 100, Duration.ofSeconds(2), false, Map.of(), Map.of());
  }

  /** A loop of another thread, whose tasks run when the test says so. */
  private static final class OtherLoop implements Loop {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean current;
    private boolean ended;

    @Override
    public boolean isCurrent() {
      return current;
    }

    @Override
    public void execute(Runnable task) {
      if (ended) {
        throw new RejectedExecutionException();
      }
      tasks.add(task);
    }

    @Override
    public Scheduled schedule(Runnable task, long delayNanos) {
      return () -> {};
    }

    void runTask() {
      current = true;
      tasks.remove().run();
      current = false;
    }
  }
}
