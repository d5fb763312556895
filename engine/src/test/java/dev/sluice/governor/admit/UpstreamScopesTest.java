package dev.sluice.governor.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** BEY-23: a ceiling for each upstream, and the limit in force without one. */
class UpstreamScopesTest {

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final List<String> events = new ArrayList<>();

  @Test
  void bey23_perUpstream_isTheCeilingOfEach() {
    Admission admission = admission(settings(10, 2), "a", "b");
    for (int i = 0; i < 6; i++) {
      enter(admission, "w" + i, 1);
    }

    assertThat(events).containsExactly("w0 at a", "w1 at a", "w2 at b", "w3 at b");
    assertThat(charged(admission)).isEqualTo(Map.of("a", 2, "b", 2));
  }

  @Test
  void bey23_permitComesBack_theNextGoesWhereItWas() {
    Admission admission = admission(settings(10, 1), "a", "b");
    enter(admission, "w0", 1);
    Place second = enter(admission, "w1", 1);
    enter(admission, "w2", 1);

    admission.giveBack(second.waiter);

    assertThat(events).containsExactly("w0 at a", "w1 at b", "w2 at b");
  }

  /** DEC-30: what is free is spread over upstreams of which none takes the heavy one. */
  @Test
  void dec30_heavyWaiterThatNoUpstreamTakes_hasCapacitySavedForIt() {
    Admission admission = admission(settings(10, 2), "a", "b");
    Place first = enter(admission, "w0", 1);
    enter(admission, "w1", 2);
    enter(admission, "heavy", 2);
    enter(admission, "low", 1, Priority.LOW);
    assertThat(events).containsExactly("w0 at a", "w1 at b");

    admission.giveBack(first.waiter);

    assertThat(events).containsExactly("w0 at a", "w1 at b", "heavy at a");
  }

  @Test
  void bey23_upstreamOutOfUse_getsNobodyAndKeepsItsUnits() {
    Admission admission = admission(settings(10, 2), "a", "b");
    Place first = enter(admission, "w0", 1);
    use(admission, 2, "b");
    enter(admission, "w1", 1);
    enter(admission, "w2", 1);
    enter(admission, "w3", 1);
    assertThat(events).containsExactly("w0 at a", "w1 at b", "w2 at b");
    assertThat(charged(admission)).isEqualTo(Map.of("a", 1, "b", 2));

    admission.giveBack(first.waiter);
    assertThat(events).doesNotContain("w3 at a").hasSize(3);
    assertThat(charged(admission)).isEqualTo(Map.of("b", 2));

    use(admission, 2, "a", "b");
    assertThat(events).endsWith("w3 at a");
  }

  @Test
  void bey23_attemptElsewhere_movesItsCharge() {
    Admission admission = admission(settings(10, 1), "a", "b");
    Place first = enter(admission, "w0", 1);

    admission.move(first.waiter);
    enter(admission, "w1", 1);

    assertThat(events).containsExactly("w0 at a", "w0 moved to b", "w1 at a");
    assertThat(charged(admission)).isEqualTo(Map.of("a", 1, "b", 1));
  }

  /** What a move frees is granted at once, to who waits longest. */
  @Test
  void bey23_move_letsAWaiterIn() {
    Admission admission = admission(settings(10, 1), "a", "b");
    Place first = enter(admission, "w0", 1);
    Place second = enter(admission, "w1", 1);
    enter(admission, "w2", 1);
    admission.giveBack(second.waiter);
    use(admission, 3, "a", "b", "c");

    admission.move(first.waiter);

    assertThat(events).containsExactly("w0 at a", "w1 at b", "w2 at b", "w0 moved to c");
    enter(admission, "w3", 1);
    assertThat(events).endsWith("w3 at a");
  }

  /** The same of one that needs more than is free in one place. */
  @Test
  void bey23_move_letsTheHeavyOneInThatNoUpstreamTook() {
    Admission admission = admission(settings(10, 2), "a", "b");
    Place first = enter(admission, "w0", 1);
    Place second = enter(admission, "w1", 1);
    enter(admission, "w2", 1);
    admission.giveBack(second.waiter);
    enter(admission, "heavy", 2);
    assertThat(events).containsExactly("w0 at a", "w1 at a", "w2 at b");

    admission.move(first.waiter);

    assertThat(events)
        .containsExactly("w0 at a", "w1 at a", "w2 at b", "w0 moved to b", "heavy at a");
  }

  @Test
  void bey23_moveOfTheLast_forgetsTheUpstreamOutOfUse() {
    Admission admission = admission(settings(10, 1), "a", "b");
    Place first = enter(admission, "w0", 1);
    use(admission, 2, "b");

    admission.move(first.waiter);

    assertThat(events).containsExactly("w0 at a", "w0 moved to b");
    assertThat(charged(admission)).isEqualTo(Map.of("b", 1));
  }

  @Test
  void bey23_moveWithoutCharges_staysWhereItIs() {
    Admission admission = admission(settings(10, 0), "a", "b");
    Place first = enter(admission, "w0", 1);

    admission.move(first.waiter);

    assertThat(events).containsExactly("w0 granted", "w0 stays at null");
  }

  @Test
  void permit_movedWhileItIsNotItsOwn_throws() {
    Admission admission = admission(settings(10, 1), "a", "b");
    Place first = enter(admission, "w0", 1);
    first.waiter.moving();
    assertThatThrownBy(() -> admission.move(first.waiter))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("while moving");
    admission.giveBack(first.waiter);

    assertThatThrownBy(() -> admission.move(enter(admission, "w1", 2).waiter))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("while not held");
  }

  @Test
  void bey23_choice_seesWhatIsChargedToEach() {
    var admission = new Admission(settings(10, 5), List.of(), ticker);
    admission.choose(() -> new LeastUsed(List.of("a", "b", "c")));
    for (int i = 0; i < 4; i++) {
      enter(admission, "w" + i, 1 + i % 2);
    }

    assertThat(events).containsExactly("w0 at a", "w1 at b", "w2 at c", "w3 at a");
  }

  @Test
  void bey23_ceilingOfAll_isThatOfThoseInUseTogether() {
    var scopes = new UpstreamScopes();
    assertThat(scopes.ceiling()).isEqualTo(Integer.MAX_VALUE);

    scopes.enforce(new Limits.PerUpstream(3, new FirstWithRoom(List.of("a", "b"), 4)));

    assertThat(scopes.ceiling()).isEqualTo(6);
  }

  @Test
  void bey23_moveWithRoomNowhere_staysWhereItIs() {
    Admission admission = admission(settings(10, 1), "a", "b");
    Place first = enter(admission, "w0", 1);
    enter(admission, "w1", 1);

    admission.move(first.waiter);

    assertThat(events).endsWith("w0 stays at a");
    admission.giveBack(first.waiter);
    assertThat(charged(admission)).isEqualTo(Map.of("a", 0, "b", 1));
  }

  /** One that was tried is not tried again, though it has room. */
  @Test
  void bey23_secondMove_doesNotGoBack() {
    Admission admission = admission(settings(10, 1), "a", "b");
    Place first = enter(admission, "w0", 1);
    admission.move(first.waiter);
    admission.move(first.waiter);

    assertThat(events).containsExactly("w0 at a", "w0 moved to b", "w0 stays at b");
  }

  @Test
  void bey23_withoutTheKey_limitIsInProportionToThoseInUse() {
    Admission admission = admission(settings(10, 0), "a", "b", "c");
    assertThat(limit(admission)).isEqualTo(10);

    use(admission, 3, "a", "c");
    assertThat(limit(admission)).isEqualTo(6);

    use(admission, 3, "c");
    assertThat(limit(admission)).isEqualTo(3);
    assertThat(admission.snapshot().upstreams()).isEmpty();
  }

  @Test
  void bey23_limitInForce_isAtLeastOne() {
    Admission admission = admission(settings(2, 0), "a", "b", "c");

    use(admission, 3, "a");

    assertThat(limit(admission)).isEqualTo(1);
  }

  /**
   * DEC-30: never below the smallest max that the refusals of the configuration would accept. Of 8
   * units half are 4; of 7 units 4 are left beside the 3 that are kept.
   */
  @ParameterizedTest
  @CsvSource({"50, 20, 8", "100, 50, 7"})
  void dec30_limitInForce_stillGrantsTheHeaviestRoute(int share, int kept, int limit) {
    AdmitSettings settings =
        new Limit(30).with(Map.of(Priority.LOW, share), Map.of(Priority.HIGH, kept)).settings();
    var admission = new Admission(settings, List.of(route("r", Priority.LOW, 4)), ticker);

    use(admission, 10, "a");

    assertThat(limit(admission)).isEqualTo(limit);
    enter(admission, "heavy", 4, Priority.LOW);
    assertThat(events).containsExactly("heavy granted");
  }

  @Test
  void bey23_reload_turnsTheScopeOnAndOff() {
    Admission admission = admission(settings(10, 0), "a", "b");
    Place before = enter(admission, "w0", 1);
    admission.reload(settings(10, 1), List.of());
    Place during = enter(admission, "w1", 1);
    enter(admission, "w2", 1);
    enter(admission, "w3", 1);
    assertThat(events).containsExactly("w0 granted", "w1 at a", "w2 at b");

    admission.reload(settings(10, 0), List.of());

    assertThat(events).endsWith("w3 granted");
    admission.giveBack(before.waiter);
    admission.giveBack(during.waiter);
    assertThat(admission.snapshot().global().inFlight()).isEqualTo(2);
  }

  /** DEC-42: what the upstreams in use take together bounds how fast a queue goes down. */
  @Test
  void dec36_waiterThatNoUpstreamCanEverTake_isShed() {
    Admission admission = admission(settings(10, 4), "a", "b");
    enter(admission, "w0", 4);
    enter(admission, "w1", 4);
    enter(admission, "heavy", 3);

    admission.reload(settings(10, 2), List.of());

    assertThat(events).endsWith("heavy shed LIMIT_LOWERED");
  }

  private Place enter(Admission admission, String name, int weight) {
    return enter(admission, name, weight, Priority.NORMAL);
  }

  private Place enter(Admission admission, String name, int weight, Priority tier) {
    return Place.enter(admission, loop, events, name, "r", tier, weight);
  }

  private Admission admission(AdmitSettings settings, String... upstreams) {
    var admission = new Admission(settings, List.of(), ticker);
    use(admission, upstreams.length, upstreams);
    return admission;
  }

  private static void use(Admission admission, int configured, String... inUse) {
    admission.choose(() -> new FirstWithRoom(List.of(inUse), configured));
  }

  private static int limit(Admission admission) {
    return admission.snapshot().global().max();
  }

  private static Map<String, Integer> charged(Admission admission) {
    var charged = new java.util.TreeMap<String, Integer>();
    admission.snapshot().upstreams().forEach((id, scope) -> charged.put(id, scope.inFlight()));
    return charged;
  }

  private static AdmitSettings settings(int max, int perUpstream) {
    return new AdmitSettings(
        max, perUpstream, 64, 256, 64, 100, Duration.ofSeconds(2), false, Map.of(), Map.of());
  }

  private static Route route(String id, Priority tier, int weight) {
    return new Route(
        id,
        "/" + id,
        RouteClass.PRIVATE_DYNAMIC,
        tier,
        weight,
        OnClientAbort.FINISH,
        RouteLimits.NONE);
  }

  private record LeastUsed(List<String> inUse) implements UpstreamChoice {
    @Override
    public int configured() {
      return inUse.size();
    }

    @Override
    public int choose(long affinity, Charges charges) {
      return IntStream.range(0, inUse.size())
          .boxed()
          .min(Comparator.comparingInt(charges::used))
          .orElse(NONE);
    }
  }

  private record FirstWithRoom(List<String> inUse, int configured) implements UpstreamChoice {
    @Override
    public int choose(long affinity, Charges charges) {
      int at = 0;
      while (at < inUse.size() && !charges.hasRoom(at)) {
        at++;
      }
      return at == inUse.size() ? NONE : at;
    }
  }
}
