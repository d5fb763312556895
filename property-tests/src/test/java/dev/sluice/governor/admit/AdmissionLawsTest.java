package dev.sluice.governor.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Loop;
import dev.sluice.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/**
 * DEC-30's laws under random schedules and virtual time, each grant compared with an independent,
 * naive reading of the scan.
 */
class AdmissionLawsTest {

  private static final String[] ROUTES = {"a", "b", "c"};
  private static final Priority[] TIERS = Priority.values();
  private static final int UPSTREAMS = 3;
  private static final long STEP_NANOS = 50_000_000;

  /** I1, I3, I4, I5: what the naive scan would grant, and nothing else, in its order. */
  @Property(tries = 400)
  void grants_areThoseOfTheNaiveScan(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 1, max = 12) int max,
      @ForAll @IntRange(min = 0, max = 100) int lowShare,
      @ForAll @IntRange(min = 0, max = 40) int highReserve) {
    var world = new World(seed, settings(max, 1000, lowShare, highReserve, false));
    for (int step = 0; step < 120; step++) {
      world.step();
      world.assertWithinLimits();
    }
    world.drainAll();
    world.assertEmpty();
  }

  /** I2: behind every command nobody waits whom a second scan would grant. */
  @Property(tries = 200)
  void scan_again_grantsNobody(@ForAll @LongRange(min = 0, max = 1_000_000_000) long seed) {
    var world = new World(seed, settings(6, 1000, 50, 20, false));
    for (int step = 0; step < 120; step++) {
      world.step();
      assertThat(world.oracle.wouldGrant()).isEmpty();
    }
  }

  /**
   * I1 to I6 with the upstream scope (BEY-23): upstreams come into use and go out of it, and
   * attempts elsewhere take their charges along.
   */
  @Property(tries = 400)
  void upstreamScope_grantsAreThoseOfTheNaiveScan(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 1, max = 12) int max,
      @ForAll @IntRange(min = 3, max = 6) int perUpstream,
      @ForAll @IntRange(min = 0, max = 40) int highReserve) {
    var world = new World(seed, settings(max, perUpstream, 1000, 60, highReserve, false));
    world.useUpstreams(List.of(0, 1, 2));
    for (int step = 0; step < 120; step++) {
      world.step();
      world.stepUpstreams();
      world.assertWithinLimits();
      assertThat(world.oracle.wouldGrant()).isEmpty();
    }
    world.useUpstreams(List.of(0, 1, 2));
    world.drainAll();
    world.assertEmpty();
  }

  /** BEY-23: without the key the limit follows those in use, and everyone ends. */
  @Property(tries = 200)
  void limitInForce_followsUpstreams_losesNobody(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 3, max = 30) int max) {
    var world = new World(seed, settings(max, 1000, 100, 0, false));
    world.compare = false;
    for (int inUse : new int[] {3, 1, 2, 3}) {
      world.useUpstreams(List.of(0, 1, 2).subList(0, inUse));
      assertThat(world.admission.snapshot().global().max()).isEqualTo(max * inUse / 3);
      for (int step = 0; step < 25; step++) {
        int before = world.admission.snapshot().global().inFlight();
        world.step();
        int after = world.admission.snapshot().global().inFlight();
        assertThat(after).isLessThanOrEqualTo(Math.max(before, max * inUse / 3));
      }
    }
    world.drainAll();
    world.assertEmpty();
  }

  /** DEC-31: nobody is shed for a full global queue while a lower tier waits. */
  @Property(tries = 200)
  void fullQueue_neverShedsWhileALowerTierWaits(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 0, max = 6) int queueMax) {
    var world = new World(seed, settings(3, queueMax, 100, 0, false));
    world.limitRoutes = false;
    for (int step = 0; step < 150; step++) {
      world.step();
    }
    assertThat(world.shedWhileLowerWaited).isZero();
    world.drainAll();
    world.assertEmpty();
  }

  /** I6 and DEC-36: limits that change under waiters cut nothing, and everyone ends. */
  @Property(tries = 200)
  void reload_underWaiters_losesNobody(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 12) Integer> maxima) {
    var world = new World(seed, settings(8, 1000, 100, 0, false));
    world.compare = false;
    for (int max : maxima) {
      for (int step = 0; step < 25; step++) {
        world.step();
      }
      world.reload(settings(max, 1000, 100, 0, false));
    }
    world.drainAll();
    world.assertEmpty();
  }

  /**
   * BEY-10: of those that are shed under a steady overload, at most 2 % waited half their deadline.
   */
  @Property(tries = 20)
  void steadyOverload_shedsAtArrival(@ForAll @IntRange(min = 2, max = 12) int max) {
    var clock = new Clock();
    var admission =
        new Admission(settings(max, 100_000, 100, 0, true), List.of(), () -> clock.nanos);
    long service = Duration.ofMillis(500).toNanos();
    long gap = service / max / 2;
    var running = new java.util.ArrayDeque<Place>();
    var places = new ArrayList<Place>();
    for (int i = 0; i < 3000; i++) {
      clock.advance(gap, admission, running, service);
      var place = new Place(clock, running);
      places.add(place);
      place.enter(admission, "a", Priority.NORMAL, 1);
    }
    // Steady: behind the first rounds, in which no rate is known yet.
    List<Place> steady = places.subList(500, places.size());
    long shed = steady.stream().filter(place -> place.cause != null).count();
    long late =
        steady.stream()
            .filter(place -> place.cause != null)
            .filter(place -> place.endedNanos - place.enteredNanos > 1_000_000_000L)
            .count();

    assertThat(shed).as("shed, of them late %d", late).isGreaterThan(500);
    assertThat(late).as("late, of %d shed", shed).isLessThanOrEqualTo(shed * 2 / 100);
  }

  private static AdmitSettings settings(
      int max, int queueMax, int lowShare, int highReserve, boolean predict) {
    return settings(max, 0, queueMax, lowShare, highReserve, predict);
  }

  private static AdmitSettings settings(
      int max, int perUpstream, int queueMax, int lowShare, int highReserve, boolean predict) {
    int atLeastOne = Math.max(lowShare, (100 + max - 1) / max);
    return new AdmitSettings(
        max,
        perUpstream,
        64,
        64,
        64,
        queueMax,
        Duration.ofSeconds(2),
        predict,
        Map.of(Priority.LOW, atLeastOne),
        Map.of(Priority.HIGH, highReserve, Priority.LOW, Math.min(highReserve, atLeastOne)));
  }

  /** A loop on the test's thread that keeps its timers for virtual time. */
  private static final class Clock implements Loop {
    private long nanos = 1;
    private final java.util.PriorityQueue<Due> timers =
        new java.util.PriorityQueue<>(java.util.Comparator.comparingLong(Due::at));

    private record Due(long at, Runnable task) {}

    void advance(
        long by, Admission admission, java.util.ArrayDeque<Place> running, long serviceNanos) {
      long end = nanos + by;
      while (true) {
        Place next = running.peek();
        long done = next == null ? Long.MAX_VALUE : next.grantedNanos + serviceNanos;
        long due = timers.isEmpty() ? Long.MAX_VALUE : timers.peek().at;
        if (Math.min(done, due) > end) {
          break;
        }
        nanos = Math.min(done, due);
        if (done <= due) {
          admission.giveBack(running.remove().waiter);
        } else {
          timers.remove().task.run();
        }
      }
      nanos = end;
    }

    boolean runNextDue() {
      if (timers.isEmpty() || timers.peek().at > nanos) {
        return false;
      }
      timers.remove().task.run();
      return true;
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public Timer.Scheduled schedule(Runnable task, long delayNanos) {
      var due = new Due(nanos + delayNanos, task);
      timers.add(due);
      return () -> timers.remove(due);
    }

    @Override
    public boolean isCurrent() {
      return true;
    }
  }

  private static final class Place implements Waiter.Listener {
    private final Clock clock;
    private final java.util.ArrayDeque<Place> running;
    private final Waiter waiter;
    private long enteredNanos;
    private long grantedNanos;
    private long endedNanos;
    private int answers;
    private final java.util.Set<Integer> tried = new java.util.HashSet<>();
    @org.jspecify.annotations.Nullable private Boolean moved;
    @org.jspecify.annotations.Nullable private Cause cause;

    Place(Clock clock, java.util.ArrayDeque<Place> running) {
      this.clock = clock;
      this.running = running;
      this.waiter = new Waiter(this, clock);
    }

    void enter(Admission admission, String route, Priority tier, int weight) {
      enteredNanos = clock.nanos;
      waiter.prepare(route, tier, weight);
      admission.enter(waiter);
    }

    @Override
    public void granted() {
      answers++;
      grantedNanos = clock.nanos;
      running.add(this);
    }

    @Override
    public void moved(boolean elsewhere) {
      moved = elsewhere;
    }

    @Override
    public void shed(Cause why, long predictedWaitNanos) {
      answers++;
      cause = why;
      endedNanos = clock.nanos;
    }
  }

  private record LowestWithRoom(List<String> inUse, int configured) implements UpstreamChoice {
    @Override
    public int choose(long affinity, Charges charges) {
      int at = 0;
      while (at < inUse.size() && !charges.hasRoom(at)) {
        at++;
      }
      return at == inUse.size() ? NONE : at;
    }
  }

  /** A random history, driven into an admission and into the oracle alike. */
  private static final class World {
    private final Random random;
    private final Clock clock = new Clock();
    private final java.util.ArrayDeque<Place> running = new java.util.ArrayDeque<>();
    private final List<Place> places = new ArrayList<>();
    private final List<NaiveScan.Entry> entries = new ArrayList<>();
    private final Admission admission;
    private final NaiveScan oracle;
    private boolean limitRoutes = true;
    private boolean compare = true;
    private int shedWhileLowerWaited;

    World(long seed, AdmitSettings settings) {
      random = new Random(seed);
      List<Route> routes = routes();
      admission = new Admission(settings, routes, () -> clock.nanos);
      oracle = new NaiveScan(settings, routes);
    }

    private List<Route> routes() {
      return List.of(
          new Route(
              "a",
              "/a",
              RouteClass.PRIVATE_DYNAMIC,
              Priority.NORMAL,
              1,
              OnClientAbort.FINISH,
              new RouteLimits(3, 1000, null)));
    }

    void step() {
      clock.nanos += STEP_NANOS;
      while (clock.runNextDue()) {
        afterCommand();
      }
      int dice = random.nextInt(10);
      if (dice < 5) {
        arrive();
      } else if (dice < 9) {
        returnOne();
      } else {
        leaveOne();
      }
      afterCommand();
    }

    void useUpstreams(List<Integer> inUse) {
      oracle.use(inUse);
      List<String> labels = inUse.stream().map(String::valueOf).toList();
      admission.choose(() -> new LowestWithRoom(labels, UPSTREAMS));
      afterCommand();
    }

    /** Now and then one comes or goes, and an attempt goes elsewhere. */
    void stepUpstreams() {
      int dice = random.nextInt(10);
      if (dice == 0) {
        int first = random.nextInt(UPSTREAMS);
        useUpstreams(random.nextBoolean() ? List.of(first) : List.of(0, 1, 2));
      } else if (dice < 3 && !running.isEmpty()) {
        var all = new ArrayList<>(running);
        move(all.get(random.nextInt(all.size())));
      }
    }

    private void move(Place place) {
      NaiveScan.Entry entry = entries.get(places.indexOf(place));
      place.tried.add(entry.upstream());
      boolean moves = oracle.move(entry, place.tried);
      place.moved = null;
      admission.move(place.waiter);
      assertThat(place.moved).isEqualTo(moves);
      afterCommand();
    }

    private void afterCommand() {
      syncEnded();
      if (compare) {
        compare();
      }
    }

    private void arrive() {
      var place = new Place(clock, running);
      String route = limitRoutes ? ROUTES[random.nextInt(ROUTES.length)] : "b";
      Priority tier = TIERS[random.nextInt(TIERS.length)];
      int weight = 1 + random.nextInt(3);
      boolean lowerWaits = oracle.lowerTierWaits(tier);
      places.add(place);
      NaiveScan.Entry entry = oracle.arrive(route, tier, weight);
      entries.add(entry);
      place.enter(admission, route, tier, weight);
      if (place.cause == Cause.QUEUE_FULL && lowerWaits) {
        shedWhileLowerWaited++;
      }
    }

    private void returnOne() {
      if (!running.isEmpty()) {
        var all = new ArrayList<>(running);
        Place place = all.get(random.nextInt(all.size()));
        running.remove(place);
        oracle.gone(entries.get(places.indexOf(place)));
        admission.giveBack(place.waiter);
        place.endedNanos = clock.nanos;
      }
    }

    private void leaveOne() {
      List<Place> waiting =
          places.stream().filter(place -> place.answers == 0 && place.endedNanos == 0).toList();
      if (!waiting.isEmpty()) {
        Place place = waiting.get(random.nextInt(waiting.size()));
        oracle.gone(entries.get(places.indexOf(place)));
        admission.leave(place.waiter);
        place.endedNanos = clock.nanos;
      }
    }

    /** What ended by a deadline or a shed ends in the oracle, too. */
    private void syncEnded() {
      for (int i = 0; i < places.size(); i++) {
        if (places.get(i).cause != null) {
          oracle.gone(entries.get(i));
        }
      }
    }

    private void compare() {
      oracle.scan();
      for (int i = 0; i < places.size(); i++) {
        Place place = places.get(i);
        boolean holds = running.contains(place);
        assertThat(holds).as("place %d", i).isEqualTo(entries.get(i).isGranted());
        if (holds) {
          String charged = place.waiter.upstream();
          int upstream = charged == null ? -1 : Integer.parseInt(charged);
          assertThat(upstream).as("upstream of %d", i).isEqualTo(entries.get(i).upstream());
        }
      }
    }

    void reload(AdmitSettings settings) {
      admission.reload(settings, routes());
    }

    void assertWithinLimits() {
      Snapshot now = admission.snapshot();
      assertThat(now.global().inFlight()).isLessThanOrEqualTo(now.global().max());
      now.tiers()
          .values()
          .forEach(tier -> assertThat(tier.inFlight()).isLessThanOrEqualTo(tier.max()));
      now.routes()
          .values()
          .forEach(route -> assertThat(route.inFlight()).isLessThanOrEqualTo(route.max()));
      now.upstreams()
          .values()
          .forEach(each -> assertThat(each.inFlight()).isLessThanOrEqualTo(each.max()));
    }

    /** Nobody comes any more: everyone is granted or has left, and every permit comes back once. */
    void drainAll() {
      while (!running.isEmpty()) {
        Place place = running.remove();
        admission.giveBack(place.waiter);
      }
    }

    void assertEmpty() {
      Snapshot now = admission.snapshot();
      assertThat(now.global().inFlight()).isZero();
      assertThat(now.global().waiting()).isZero();
      assertThat(now.upstreams().values()).allMatch(upstream -> upstream.inFlight() == 0);
      assertThat(clock.timers).isEmpty();
      assertThat(places).allMatch(place -> place.answers == 1 || place.endedNanos != 0);
      assertThat(places).allMatch(place -> place.answers <= 1);
    }
  }
}
