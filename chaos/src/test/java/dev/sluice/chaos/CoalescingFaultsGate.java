package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Every fault, either way, while a crowd shares one flight: on the origin's side it befalls all
 * alike and nothing broken is kept, on the clients' side only those who have it (K02, C03, DEC-26).
 */
class CoalescingFaultsGate {

  private static final int CROWD = 12;
  private static final int PAGE = 60_000;
  private static final long RECOVERY_MILLIS_MAX = 3_000;

  /** The page begins late enough for a crowd to board and streams long enough to be struck. */
  private static final String SHARED =
      "?ms=400&bytes=" + PAGE + "&chunks=6&every=30&h=Cache-Control:max-age%3D60";

  private static final int SHARED_MILLIS = 550;

  /** What the crowd takes without a fault, with much to spare. */
  private static final long WELL_MILLIS_MAX = 3_000;

  /** A body that ends with its connection is kept where that is asked for, and shared anyhow. */
  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_read: 3s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 500ms
        concurrency: { max: 40 }
      cache: { enabled: true }
      routes:
        - { id: shared, match: "/shared/**", class: public_ssr, cache: { statuses: explicit } }
        - id: apart
          match: "/apart/**"
          class: public_ssr
          coalesce: { enabled: false }
          cache: { enabled: false }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void faultsAtTheOrigin_befallAllAboardAlike() {
    ChaosStack.claim(
            "coalescing-origin",
            "A fault at the origin befalls all aboard alike, and nothing broken is kept.")
        .given("crowd", CROWD)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                Bare.control(
                    gate,
                    stack.origin().port(),
                    Cell::strikeGets,
                    cell -> StruckLines.get("/bare?bytes=" + PAGE));
                stack.origin().reset();
                stack.crowd(CROWD, "/apart/control" + SHARED);
                gate.control("renders_apart", renders(stack, "/apart"), exactly(CROWD));
                for (Cell cell : Cell.all()) {
                  atTheOrigin(gate, stack, cell);
                }
                stack.judgeAftermath(gate);
              }
            });
  }

  private static void atTheOrigin(Gate gate, ChaosStack stack, Cell cell) {
    String name = cell.name();
    String path = "/shared/" + name;
    String target = path + SHARED + cell.closing();
    stack.back().strike(cell.strikeGets());
    CrowdResult crowd = stack.crowd(CROWD, target);
    stack.back().heal();
    Map<Sight, Long> seen = Sight.of(crowd);
    gate.measured(name + "_seen", seen);
    gate.measured(name + "_whole", Sight.count(crowd, Sight.WHOLE), cell.whole(CROWD));
    gate.measured(name + "_kinds_of_sight", seen.size(), exactly(1));
    gate.measured(name + "_lies", Sight.lies(crowd), exactly(0));
    if (cell.isLateEnd()) {
      gate.control(
          name + "_millis",
          crowd.wall().toMillis(),
          atLeast(SHARED_MILLIS + cell.fault().millis()));
    }
    long renders = renders(stack, path);
    gate.measured(name + "_renders", renders, renders(cell));
    long recovery = stack.recoveryMillis("/shared/after-" + name);
    gate.measured(name + "_recovery_millis", recovery, atMost(RECOVERY_MILLIS_MAX));
    // What was cut short must not be found again, what was whole must.
    Sight next = Sight.of(stack.crowd(1, target).visits().get(0));
    gate.measured(name + "_next", next, equalTo(Sight.WHOLE));
    gate.measured(
        name + "_renders_for_the_next",
        renders(stack, path) - renders,
        exactly(cell.isHarmless() ? 0 : 1));
  }

  private static Bound renders(Cell cell) {
    if (cell.isHarmless()) {
      return exactly(1);
    }
    // A connection that had served before and died without a byte is worth one more attempt.
    return cell.isDown() ? between(1, 2) : exactly(0);
  }

  @Test
  void faultsAtSomeClients_areNobodyElses() {
    ChaosStack.claim(
            "coalescing-clients", "A fault at some of those aboard costs the others nothing.")
        .given("crowd", CROWD)
        .given("with_the_fault", CROWD / 2)
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                for (ToxicDirection way : ToxicDirection.values()) {
                  atSomeClients(gate, stack, way);
                }
                stack.judgeAftermath(gate);
              }
            });
  }

  /** Each of the cells has a flight of its own, and all are under way at once. */
  private static void atSomeClients(Gate gate, ChaosStack stack, ToxicDirection way) {
    List<Cell> cells = Cell.of(way);
    stack.origin().reset();
    try (var lines = StruckLines.to(stack.sluice().port(), cells).strike(Cell::strikeGets)) {
      CompletableFuture<Map<Cell, CrowdResult>> struck =
          lines.begin((cell, port) -> Crowd.send(port, half(cell), ChaosStack.PATIENCE));
      List<Visit> visits = cells.stream().flatMap(cell -> half(cell).stream()).toList();
      CrowdResult well = Crowd.send(stack.sluice().port(), visits, ChaosStack.PATIENCE);
      gate.measured(
          "well_millis_" + way.name().toLowerCase(Locale.ROOT),
          well.wall().toMillis(),
          atMost(WELL_MILLIS_MAX));
      struck.join().forEach((cell, seen) -> judge(gate, cell, seen, of(cell, well)));
      OriginStats counted = stack.origin().stats();
      for (Cell cell : cells) {
        gate.measured(cell.name() + "_renders", counted.requestsUnder(path(cell)), exactly(1));
      }
      lines.judgeEnds(gate);
    }
  }

  private static void judge(Gate gate, Cell cell, CrowdResult struck, CrowdResult well) {
    gate.control(cell.name() + "_struck_seen", Sight.of(struck));
    gate.control(
        cell.name() + "_struck_whole", Sight.count(struck, Sight.WHOLE), cell.whole(CROWD / 2));
    gate.measured(cell.name() + "_lies", Sight.lies(struck), exactly(0));
    gate.measured(cell.name() + "_well_whole", Sight.count(well, Sight.WHOLE), exactly(CROWD / 2));
  }

  private static List<Visit> half(Cell cell) {
    return Collections.nCopies(CROWD / 2, StruckLines.get(path(cell) + SHARED));
  }

  private static CrowdResult of(Cell cell, CrowdResult all) {
    return new CrowdResult(
        all.visits().stream()
            .filter(visit -> visit.visit().target().startsWith(path(cell) + '?'))
            .toList());
  }

  private static String path(Cell cell) {
    return "/shared/clients-" + cell.name();
  }

  private static long renders(ChaosStack stack, String path) {
    return stack.origin().stats().requestsUnder(path);
  }
}
