package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.VisitRecord;
import dev.sluice.fixture.launch.Account;
import dev.sluice.fixture.launch.LeakLines;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import dev.sluice.time.WallClock;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of day jumps while the monotonic clock goes on (DEC-49). */
class ClockGate {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int PAGE = 2_000;

  /** Long enough for those behind it to be seen waiting. */
  private static final int HELD_MILLIS = 2_500;

  private static final String FRESH = "&h=Cache-Control:max-age%3D60";

  private static final String CONFIG =
      """
      version: 1
      server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
      timeouts: { origin_connect: 1s, origin_response: 10s, origin_read: 3s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:%d"]
        abandon_hold: 200ms
        concurrency: { max: 1, queue: { max: 10, timeout: 19s, predict: false } }
      cache: { enabled: true }
      routes:
        - { id: page, match: "/page/**", class: public_ssr }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @TempDir Path folder;

  @Test
  void timeOfDayThatJumps_neitherHurriesNorHoldsUpAnything() {
    ChaosStack.claim(
            "clock",
            "A time of day that jumps back changes nothing; one that jumps ahead ends freshness and"
                + " no wait.")
        .given("jump_minutes", HOUR.toMinutes())
        .judge(
            gate -> {
              Path file = folder.resolve("offset");
              LongBuffer offset = WallClock.offset(file);
              try (var origin = SlowOriginProcess.start("--loops", "1");
                  var sluice =
                      SluiceProcess.startFromClassPath(
                          CONFIG.formatted(origin.port()),
                          "-Dchaos.clock=" + file,
                          LeakLines.FLAG)) {
                var aftermath = Aftermath.of(sluice);
                back(gate, sluice, offset);
                ahead(gate, sluice, offset);
                whileWaiting(gate, origin, sluice, offset);
                aftermath.judge(gate);
              }
            });
  }

  private static void back(Gate gate, SluiceProcess sluice, LongBuffer offset) {
    VisitRecord stored = ask(sluice, "/page/back", FRESH);
    offset.put(0, -HOUR.toMillis());
    // Its own Date is of this moment: the clock did jump.
    VisitRecord synthetic = ask(sluice, "/page/control", "&fail=reset");
    long shown = Duration.between(Instant.now(), date(synthetic)).toSeconds();
    gate.control("date_moved_by_seconds", shown, between(-3_610, -3_590));
    VisitRecord next = ask(sluice, "/page/back", FRESH);
    gate.measured("back_is_stored", render(next).equals(render(stored)), equalTo(true));
    gate.measured("back_age", age(next), between(0, 10));
    gate.measured(
        "stored_after_the_jump",
        render(ask(sluice, "/page/after", FRESH)).equals(render(ask(sluice, "/page/after", FRESH))),
        equalTo(true));
  }

  private static void ahead(Gate gate, SluiceProcess sluice, LongBuffer offset) {
    VisitRecord stored = ask(sluice, "/page/ahead", FRESH);
    gate.control(
        "fresh_before_the_jump",
        render(ask(sluice, "/page/ahead", FRESH)).equals(render(stored)),
        equalTo(true));
    // Ahead of where it was at the start: a jump back that nobody looked at yet takes nothing off.
    offset.put(0, HOUR.toMillis());
    long began = System.nanoTime();
    Await.until(
        "new page",
        ChaosStack.PATIENCE,
        () -> !render(ask(sluice, "/page/ahead", FRESH)).equals(render(stored)));
    // The clocks are compared every second.
    gate.measured("stale_after_millis", (System.nanoTime() - began) / 1_000_000, atMost(3_000));
  }

  private static void whileWaiting(
      Gate gate, SlowOriginProcess origin, SluiceProcess sluice, LongBuffer offset) {
    origin.reset();
    CompletableFuture<CrowdResult> holding =
        ChaosStack.crowdBeside(sluice.port(), 1, "/holding?ms=" + HELD_MILLIS + "&bytes=" + PAGE);
    Await.until("request under way", ChaosStack.PATIENCE, () -> origin.stats().inFlight() == 1);
    CompletableFuture<CrowdResult> waiting =
        ChaosStack.crowdBeside(sluice.port(), 3, "/waiting?bytes=" + PAGE);
    Await.until(
        "three that wait",
        ChaosStack.PATIENCE,
        () -> Account.parse(sluice.status()).waiting() == 3);
    offset.put(0, HOUR.toMillis());
    offset.put(0, -HOUR.toMillis());
    offset.put(0, HOUR.toMillis());
    long held = Sight.count(holding.join(), Sight.WHOLE);
    gate.measured("under_way_whole", held, exactly(1));
    long whole = Sight.count(waiting.join(), Sight.WHOLE);
    gate.measured("waiting_whole", whole, exactly(3));
    gate.measured(
        "render_took_its_time_millis", holding.join().wall().toMillis(), atLeast(HELD_MILLIS));
  }

  private static VisitRecord ask(SluiceProcess sluice, String path, String parameters) {
    var seen = ChaosStack.crowd(sluice.port(), 1, path + "?bytes=" + PAGE + parameters);
    VisitRecord visit = seen.visits().get(0);
    Sight sight = Sight.of(visit);
    if (sight != Sight.WHOLE && !sight.isOriginFailure()) {
      throw new AssertionError(path + ": " + sight);
    }
    return visit;
  }

  private static String render(VisitRecord visit) {
    return Objects.requireNonNullElse(visit.header("x-render"), "");
  }

  private static long age(VisitRecord visit) {
    return Long.parseLong(Objects.requireNonNullElse(visit.header("age"), "-1"));
  }

  private static Instant date(VisitRecord visit) {
    String text = Objects.requireNonNull(visit.header("date"));
    return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }
}
