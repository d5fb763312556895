package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.crowd.VisitRecord;
import dev.sluice.reports.Bound;
import dev.sluice.reports.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every fault, either way, while a stored page is asked about again: at the origin the stored one
 * stands in, whole, and a page that came broken never takes its place (CCH-08 to CCH-12, C03); at a
 * client it is that client's alone.
 */
class RevalidationFaultsGate {

  private static final int PAGE = 60_000;
  private static final Duration LIFETIME = Duration.ofMillis(200);
  private static final int RENEWED_MILLIS_MAX = 4_000;

  /** So few that a Sluice that is still cold is not what is tried. */
  private static final int STORED_AT_ONCE = 8;

  /** A new page each time. */
  private static final String FRESH =
      "?bytes=" + PAGE + "&chunks=3&every=20&h=Cache-Control:max-age%3D60";

  /** With a validator: the origin answers 304 while the stored one names it. */
  private static final String SAME = FRESH + "&etag=one";

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s }, debug_headers: true }
      timeouts: { origin_connect: 1s, origin_response: 3s, origin_read: 3s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        abandon_hold: 200ms
        concurrency: { max: 120 }
      cache: { enabled: true }
      routes:
        - id: plain
          match: "/plain/**"
          class: public_ssr
          cache:
            { ttl: { max: 200ms }, statuses: explicit, stale_while_revalidate: 0s, stale_if_error: 0s }
        - id: error
          match: "/error/**"
          class: public_ssr
          cache:
            { ttl: { max: 200ms }, statuses: explicit, stale_while_revalidate: 0s, stale_if_error: 5m }
        - id: behind
          match: "/behind/**"
          class: public_ssr
          cache:
            { ttl: { max: 200ms }, statuses: explicit, stale_while_revalidate: 5m, stale_if_error: 5m }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @Test
  void faultsWhileRevalidating_storedPageStandsIn() {
    ChaosStack.claim(
            "revalidation",
            "Whatever befalls a revalidation, the stored page stands in, and no broken one is kept.")
        .given("page_bytes", PAGE)
        .given("lifetime_millis", LIFETIME.toMillis())
        .judge(
            gate -> {
              try (var stack = ChaosStack.open(CONFIG)) {
                Bare.control(
                    gate,
                    stack.origin().port(),
                    Cell::strikeGets,
                    cell -> StruckLines.get("/bare?bytes=" + PAGE));
                new Trials(gate, stack, new HashMap<>()).run();
                stack.judgeAftermath(gate);
              }
            });
  }

  /**
   * Confined to the gate's thread.
   *
   * @param stored which render of each target was stored at first
   */
  private record Trials(Gate gate, ChaosStack stack, Map<String, String> stored) {

    void run() {
      store();
      clientsLines();
      for (Cell cell : Cell.all()) {
        originsLine(cell);
      }
      lineCut();
      renewed();
    }

    /** Has all that is asked about later stored, and lets it go stale. */
    private void store() {
      List<Visit> visits = new ArrayList<>();
      for (Cell cell : Cell.all()) {
        visits.addAll(ofClient(cell));
        visits.addAll(ofOrigin(cell));
        visits.add(same(cell));
      }
      visits.addAll(ofCut());
      for (int i = 0; i < visits.size(); i += STORED_AT_ONCE) {
        store(visits.subList(i, Math.min(i + STORED_AT_ONCE, visits.size())));
      }
      long began = System.nanoTime();
      Await.until(
          "age", ChaosStack.PATIENCE, () -> System.nanoTime() - began > LIFETIME.toNanos() * 2);
    }

    private void store(List<Visit> few) {
      for (VisitRecord visit : ask(few)) {
        if (Sight.of(visit) != Sight.WHOLE) {
          throw new AssertionError(visit.visit().target() + ": " + Sight.of(visit));
        }
        stored.put(visit.visit().target(), render(visit));
      }
    }

    /** All at once, each on a line of its own; the pages are no longer fresh. */
    private void clientsLines() {
      stack.origin().reset();
      try (var lines = StruckLines.to(stack.sluice().port(), Cell.all()).strike(Cell::strikeGets)) {
        lines
            .atOnce((cell, port) -> Crowd.send(port, ofClient(cell), ChaosStack.PATIENCE))
            .forEach(this::judgeClient);
        awaitNoFlight();
        OriginStats counted = stack.origin().stats();
        for (Cell cell : Cell.all()) {
          long asked = counted.requestsUnder("/error/" + cell.name() + "_client");
          gate.measured(cell.name() + "_client_asked", asked, asked(cell));
        }
        gate.measured("revalidations_left_with_their_clients", counted.aborted(), exactly(0));
        lines.judgeEnds(gate);
      }
    }

    private static Bound asked(Cell cell) {
      if (cell.isHarmless()) {
        return exactly(2);
      }
      // What is spoiled on its way up asks for nothing; a line may end before it was asked through.
      return cell.isDown() ? between(cell.fault() == Fault.TIMEOUT ? 0 : 2, 2) : exactly(0);
    }

    private void judgeClient(Cell cell, CrowdResult seen) {
      String name = cell.name() + "_client";
      gate.measured(name + "_seen", Sight.of(seen));
      gate.measured(name + "_whole", Sight.count(seen, Sight.WHOLE), cell.whole(2));
      gate.measured(name + "_lies", Sight.lies(seen), exactly(0));
    }

    private void originsLine(Cell cell) {
      String name = cell.name() + "_origin";
      stack.back().strike(cell.strikeGets());
      if (cell.isHarmless()) {
        notModified(cell, name);
      }
      List<VisitRecord> seen = ask(ofOrigin(cell));
      awaitNoFlight();
      stack.back().heal();
      VisitRecord plain = seen.get(0);
      VisitRecord error = seen.get(1);
      if (cell.isHarmless()) {
        judge(name + "_plain", plain, Sight.WHOLE, false);
        judge(name + "_error", error, Sight.WHOLE, false);
      } else {
        gate.control(name + "_without_stale", Sight.of(plain));
        gate.control(
            name + "_without_stale_whole", Sight.of(plain) == Sight.WHOLE ? 1 : 0, exactly(0));
        // Where its head was good and is with the client, all that is left is an end seen as one.
        boolean begun = cell.isDown() && cell.fault() == Fault.LIMIT_DATA;
        judge(name + "_error", error, begun ? Sight.CUT : Sight.WHOLE, !begun);
      }
      judge(name + "_behind", seen.get(2), Sight.WHOLE, true);
      if (cell.isLateEnd()) {
        gate.control(
            name + "_plain_millis", plain.totalNanos() / 1_000_000, atLeast(cell.fault().millis()));
      }
      gate.measured(
          name + "_recovery_millis", stack.recoveryMillis("/after/" + name), atMost(3_000));
    }

    private void judge(String name, VisitRecord seen, Sight wanted, boolean isStored) {
      gate.measured(name, Sight.of(seen), equalTo(wanted));
      gate.measured(name + "_is_stored", isStored(seen), equalTo(isStored));
    }

    /** A 304 has no body: what comes is the stored one. */
    private void notModified(Cell cell, String name) {
      stack.origin().reset();
      VisitRecord during = ask(List.of(same(cell))).get(0);
      gate.measured(name + "_same", Sight.of(during), equalTo(Sight.WHOLE));
      OriginStats counted = stack.origin().stats();
      gate.measured(name + "_same_origin_bytes", counted.bytesWritten(), below(PAGE / 2.0));
      gate.measured(name + "_same_asked", counted.requests(), exactly(1));
    }

    private void lineCut() {
      stack.back().cut();
      List<VisitRecord> seen = ask(ofCut());
      gate.control("cut_without_stale", Sight.of(seen.get(0)), equalTo(Sight.BAD_GATEWAY));
      judge("cut", seen.get(1), Sight.WHOLE, true);
      stack.back().restore();
    }

    /** With all well again every page is soon a new one; each that comes is whole. */
    private void renewed() {
      List<Visit> old = new ArrayList<>(ofCut());
      for (Cell cell : Cell.all()) {
        old.addAll(ofOrigin(cell));
      }
      gate.measured("pages_to_be_renewed", old.size());
      long began = System.nanoTime();
      Await.until(
          "new pages",
          ChaosStack.PATIENCE,
          () -> {
            for (VisitRecord next : ask(old)) {
              if (Sight.of(next) != Sight.WHOLE) {
                throw new AssertionError(next.visit().target() + ": " + Sight.of(next));
              }
              if (!isStored(next)) {
                old.remove(next.visit());
              }
            }
            return old.isEmpty();
          });
      gate.measured(
          "renewed_after_millis",
          (System.nanoTime() - began) / 1_000_000,
          atMost(RENEWED_MILLIS_MAX));
    }

    private List<VisitRecord> ask(List<Visit> visits) {
      return Crowd.send(stack.sluice().port(), visits, ChaosStack.PATIENCE).visits();
    }

    private void awaitNoFlight() {
      Await.until("end of flights", ChaosStack.PATIENCE, () -> stack.account().flights() == 0);
    }

    private boolean isStored(VisitRecord visit) {
      return render(visit).equals(stored.get(visit.visit().target()));
    }
  }

  /** A page that will be new, and one that will not. */
  private static List<Visit> ofClient(Cell cell) {
    String path = "/error/" + cell.name() + "_client";
    return List.of(StruckLines.get(path + FRESH), StruckLines.get(path + SAME));
  }

  /** With no stale page to fall back on, with one, and with one that is shown meanwhile. */
  private static List<Visit> ofOrigin(Cell cell) {
    return Stream.of("/plain/", "/error/", "/behind/")
        .map(route -> Visit.get(route + cell.name() + "_origin" + FRESH + cell.closing()))
        .toList();
  }

  private static Visit same(Cell cell) {
    return Visit.get("/error/" + cell.name() + "_same" + SAME);
  }

  private static List<Visit> ofCut() {
    return List.of(Visit.get("/plain/cut" + FRESH), Visit.get("/error/cut" + FRESH));
  }

  private static String render(VisitRecord visit) {
    return Objects.requireNonNullElse(visit.header("x-render"), "");
  }
}
