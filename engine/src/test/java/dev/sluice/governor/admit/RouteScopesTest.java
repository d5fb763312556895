package dev.sluice.governor.admit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scopes of routes that are in no file, or not any more (DEC-36), and of those of a class. */
class RouteScopesTest {

  private static final String ROUTE = "r";

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final List<String> events = new ArrayList<>();

  /** ADM-06: a route of the class has its own timeout; what passes from under another has not. */
  @ParameterizedTest
  @CsvSource({"STATIC, 9", "PRIVATE_DYNAMIC, 1"})
  void adm06_timeoutOfARoute_replacesTheOneOfItsOwnClass(RouteClass of, int seconds) {
    Admission admission =
        Admission.forClass(ofStatic(1), List.of(route(of, Duration.ofSeconds(9))), ticker);
    enter(admission, "a");
    enter(admission, "b");
    loop.advance(SECONDS.toNanos(seconds) - 1);
    assertThat(events).containsExactly("a granted");

    loop.advance(1);

    assertThat(events).containsExactly("a granted", "b shed CLASS_FULL");
  }

  /** DEC-33: a class counts requests; a weight is of rendering. */
  @Test
  void dec33_class_countsEachRequestOnceAndFollowsItsReload() {
    Admission admission = Admission.forClass(ofStatic(1), List.of(), ticker);
    enter(admission, "a", ROUTE, 4);
    enter(admission, "b", ROUTE, 4);
    assertThat(events).containsExactly("a granted");
    assertThat(admission.snapshot().global()).isEqualTo(new Snapshot.Scope(1, 1, 1));

    admission.reloadClass(ofStatic(2), List.of());

    assertThat(events).containsExactly("a granted", "b granted");
    assertThat(admission.snapshot().global()).isEqualTo(new Snapshot.Scope(2, 2, 0));
  }

  private static ClassLimit ofStatic(int max) {
    return new ClassLimit(max, 5, Duration.ofSeconds(1), RouteClass.STATIC);
  }

  /** What is predicted for a route in no file is held against the timeout that is in force. */
  @Test
  void dec36_routeInNoFile_followsTheTimeoutOfAReload() {
    var admission = new Admission(settings(Duration.ofSeconds(2)), List.of(), ticker);
    Place.eightReturns(admission, loop, ticker);

    admission.reload(settings(Duration.ofSeconds(20)), List.of());
    // The sixth is to wait 2.6 s, past what 2 s would let it.
    for (int i = 0; i < 6; i++) {
      enter(admission, "n" + i);
    }
    assertThat(events).isEmpty();

    admission.reload(settings(Duration.ofSeconds(2)), List.of());
    enter(admission, "late");
    assertThat(events).containsExactly("late shed PREDICTED");
  }

  /** A flight of an earlier generation may come behind the reload that took its route out. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dec36_scopeOfARemovedRoute_goesWithTheLastOfIt(boolean waits) {
    var admission =
        new Admission(
            settings(Duration.ofSeconds(2)),
            List.of(route(RouteClass.PRIVATE_DYNAMIC, null)),
            ticker);
    assertThat(admission.snapshot().routes()).containsKey(ROUTE);
    admission.reload(settings(Duration.ofSeconds(2)), List.of());
    assertThat(admission.snapshot().routes()).isEmpty();

    Place late = enter(admission, "late");
    if (waits) {
      Place behind = enter(admission, "behind");
      admission.giveBack(late.waiter);
      admission.giveBack(behind.waiter);
      assertThat(events).containsExactly("late granted", "behind granted");
    } else {
      assertThat(admission.snapshot().routes()).containsKey(ROUTE);
      admission.giveBack(late.waiter);
    }

    assertThat(admission.snapshot().routes()).isEmpty();
  }

  /** Nor is it left behind by who waited in vain, or left, or never fitted. */
  @Test
  void dec36_scopeOfARemovedRoute_goesWithWhoWaitedInVain() {
    var admission = new Admission(settings(Duration.ofSeconds(2)), List.of(), ticker);
    Place other = enter(admission, "other", "other", 1);

    enter(admission, "late");
    loop.advance(SECONDS.toNanos(2));
    assertThat(admission.snapshot().routes()).containsOnlyKeys("other");
    Place gone = enter(admission, "gone");
    admission.leave(gone.waiter);
    assertThat(admission.snapshot().routes()).containsOnlyKeys("other");
    enter(admission, "heavy", ROUTE, 2);
    assertThat(admission.snapshot().routes()).containsOnlyKeys("other");

    assertThat(events)
        .containsExactly("other granted", "late shed QUEUE_DEADLINE", "heavy shed LIMIT_LOWERED");
    admission.giveBack(other.waiter);
    assertThat(admission.snapshot().routes()).isEmpty();
  }

  private Place enter(Admission admission, String name) {
    return enter(admission, name, ROUTE, 1);
  }

  private Place enter(Admission admission, String name, String route, int weight) {
    return Place.enter(admission, loop, events, name, route, Priority.NORMAL, weight);
  }

  /** One unit, a queue of a hundred, predictions. */
  private static AdmitSettings settings(Duration timeout) {
    return new AdmitSettings(1, 0, 64, 256, 100, 100, timeout, true, Map.of(), Map.of());
  }

  private static Route route(RouteClass of, @Nullable Duration timeout) {
    return Limit.route(ROUTE, of, new RouteLimits(null, null, timeout));
  }
}
