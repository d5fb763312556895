package dev.sluice.governor.fetch;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The three ways to choose an upstream (ORG-02 to ORG-05, ORG-34). */
class BalanceTest {

  private static final int PATHS = 30_000;

  @Test
  void org02_roundRobin_thirtyOverThree_areTenEach() {
    var balance = new RoundRobin();
    Crowd crowd = Crowd.of(3);

    assertThat(sent(balance, crowd, 30)).containsExactly(10, 10, 10);
  }

  @Test
  void roundRobin_oneWithoutRoom_spreadsItsShareEvenly() {
    var balance = new RoundRobin();
    Crowd crowd = Crowd.of(4);
    crowd.eligible[1] = false;

    assertThat(sent(balance, crowd, 30)).containsExactly(10, 0, 10, 10);
  }

  @Test
  void everyBalance_nobodyEligible_choosesNone() {
    Crowd crowd = Crowd.of(3);
    Arrays.fill(crowd.eligible, false);

    for (Balance balance : new Balance[] {new RoundRobin(), new HashByPath(), new LeastLoaded()}) {
      assertThat(balance.choose(7, 0, crowd)).isEqualTo(Balance.NONE);
    }
  }

  // Hash by path.

  @Test
  void org03_hashByPath_onePath_hasOneUpstream() {
    var balance = new HashByPath();
    Crowd crowd = Crowd.of(5);
    long path = HashByPath.hash("/products/1");

    int[] sent = new int[5];
    for (int i = 0; i < 100; i++) {
      sent[balance.choose(path, 0, crowd)]++;
    }

    assertThat(sent).containsOnlyOnce(100);
  }

  @Test
  void org03_hashByPath_manyPaths_useAllAlike() {
    Crowd crowd = Crowd.of(5);
    int[] owners = owners(crowd);

    int[] share = new int[5];
    Arrays.stream(owners).forEach(at -> share[at]++);

    int mean = PATHS / 5;
    assertThat(Arrays.stream(share).boxed())
        .allSatisfy(count -> assertThat(count).isBetween(mean * 9 / 10, mean * 11 / 10));
  }

  /** ORG-34: who goes takes only its own paths along, and they spread over all others. */
  @Test
  void org34_hashByPath_oneGoes_nobodyElsesPathsMove() {
    Crowd crowd = Crowd.of(5);
    int[] before = owners(crowd);
    crowd.eligible[2] = false;
    int[] after = owners(crowd);

    int[] inherited = new int[5];
    for (int i = 0; i < PATHS; i++) {
      if (before[i] == 2) {
        inherited[after[i]]++;
      } else {
        assertThat(after[i]).isEqualTo(before[i]);
      }
    }
    assertThat(inherited[2]).isZero();
    assertThat(Arrays.stream(inherited).filter(count -> count > PATHS / 5 / 6).count())
        .isEqualTo(4);
  }

  /** ORG-34: who comes takes its share and nothing else moves. */
  @Test
  void org34_hashByPath_oneComes_movesOneShare() {
    int[] before = owners(Crowd.of(4));
    int[] after = owners(Crowd.of(5));

    int moved = 0;
    for (int i = 0; i < PATHS; i++) {
      if (before[i] != after[i]) {
        moved++;
        assertThat(after[i]).isEqualTo(4);
      }
    }
    assertThat(moved).isBetween(PATHS / 5 * 9 / 10, PATHS / 5 * 11 / 10);
  }

  @Test
  void hashByPath_onePathAlone_isBoundedByTheMean() {
    var balance = new HashByPath();
    Crowd crowd = Crowd.of(4);
    for (int i = 0; i < 400; i++) {
      crowd.send(balance, HashByPath.hash("/hot"));
    }

    assertThat(Arrays.stream(crowd.inFlight).max().orElseThrow()).isLessThanOrEqualTo(126);
    assertThat(Arrays.stream(crowd.inFlight).sum()).isEqualTo(400);
  }

  @Test
  void hashByPath_fewInFlight_stayTogether() {
    var balance = new HashByPath();
    Crowd crowd = Crowd.of(4);
    for (int i = 0; i < 8; i++) {
      crowd.send(balance, HashByPath.hash("/hot"));
    }

    assertThat(crowd.inFlight).containsOnlyOnce(8);
  }

  /** BEY-23: without room at the first the path goes on to its next, always the same one. */
  @Test
  void bey23_hashByPath_firstWithoutRoom_goesOnToOneNext() {
    var balance = new HashByPath();
    Crowd crowd = Crowd.of(6);
    long path = HashByPath.hash("/p");
    crowd.eligible[balance.choose(path, 0, crowd)] = false;

    int next = balance.choose(path, 0, crowd);

    assertThat(balance.choose(path, 0, crowd)).isEqualTo(next);
    assertThat(crowd.eligible[next]).isTrue();
  }

  // Least loaded.

  @Test
  void org04_leastLoaded_goesByTheProduct() {
    var balance = new LeastLoaded();
    Crowd crowd = Crowd.of(2);
    crowd.latencyNanos[0] = MILLISECONDS.toNanos(100);
    crowd.latencyNanos[1] = MILLISECONDS.toNanos(300);
    for (int i = 0; i < 40; i++) {
      crowd.send(balance, 0);
    }

    // By flights alone it were 20 each.
    assertThat(crowd.inFlight).containsExactly(30, 10);
  }

  @Test
  void org05_leastLoaded_slowOneOfTwo_isRoutedAround() {
    var balance = new LeastLoaded();
    Crowd crowd = Crowd.of(2);
    crowd.latencyNanos[0] = MILLISECONDS.toNanos(20);
    crowd.latencyNanos[1] = MILLISECONDS.toNanos(1020);

    assertThat(sent(balance, crowd, 100)).containsExactly(100, 0);
  }

  @Test
  void leastLoaded_unmeasured_isAskedOnceAndThenAwaited() {
    var balance = new LeastLoaded();
    Crowd crowd = Crowd.of(2);
    crowd.latencyNanos[0] = MILLISECONDS.toNanos(20);
    for (int i = 0; i < 20; i++) {
      crowd.send(balance, 0);
    }

    assertThat(crowd.inFlight).containsExactly(19, 1);
  }

  @Test
  void leastLoaded_equals_goInTurn() {
    var balance = new LeastLoaded();
    Crowd crowd = Crowd.of(3);
    Arrays.fill(crowd.latencyNanos, MILLISECONDS.toNanos(5));

    assertThat(sent(balance, crowd, 30)).containsExactly(10, 10, 10);
  }

  private static int[] owners(Crowd crowd) {
    var balance = new HashByPath();
    int[] owners = new int[PATHS];
    for (int i = 0; i < PATHS; i++) {
      owners[i] = balance.choose(HashByPath.hash("/products/" + i), 0, crowd);
    }
    return owners;
  }

  /** How many went where, each being over before the next. */
  private static int[] sent(Balance balance, Crowd crowd, int flights) {
    int[] sent = new int[crowd.size()];
    for (int i = 0; i < flights; i++) {
      sent[balance.choose(0, 0, crowd)]++;
    }
    return sent;
  }
}
