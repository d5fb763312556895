package dev.sluice.bench;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import org.junit.jupiter.api.Test;

/** Queues are bounded in length and in time: ADM-04 to ADM-10, DEC-31, CLI-07, CLI-08. */
class QueueGate {

  private static final int CEILING = 16;
  private static final int PLACES = 32;

  @Test
  void queueFull_nextIsShedAtOnceAndTheOriginNeverHearsOfIt() {
    claim("queue-full", "Behind a full queue the next is shed at once; the origin hears nothing.")
        .given("ceiling", CEILING)
        .given("places", PLACES)
        .given("page", "1.5 s")
        .judge(
            gate -> {
              Late waited = behind(PLACES, PLACES + 1);
              gate.control("status", waited.answer().status(), exactly(200));
              gate.control("answered_after_millis", waited.answer().tookMillis(), above(1500));
              gate.control("origin_requests", waited.requests(), exactly(CEILING + PLACES + 1));

              Late shed = behind(PLACES, PLACES);
              gate.measured("status", shed.answer().status(), exactly(503));
              gate.measured(
                  "has_retry_after",
                  !shed.answer().response().header("Retry-After").isEmpty(),
                  equalTo(true));
              gate.measured("answered_after_millis", shed.answer().tookMillis(), below(1500));
              gate.measured("others_answered_200", shed.others(), exactly(CEILING + PLACES));
              gate.measured("origin_requests", shed.requests(), exactly(CEILING + PLACES));
              gate.measured("origin_peak", shed.peak(), exactly(CEILING));
            });
  }

  private record Late(Stack.Answer answer, long others, long requests, long peak) {}

  /** One more request, once all permits are taken and {@code waiting} wait. */
  private static Late behind(int waiting, int places) {
    try (var stack = new Stack("", concurrency(CEILING, places, "20s"), "")) {
      var others = stack.crowd(CEILING + waiting, "/page/%d?ms=1500");
      stack.awaitWaiting(waiting);
      Stack.Answer answer = stack.fetch("/page/late?ms=1500");
      long served = others.join().complete(200);
      var counted = stack.counted();
      return new Late(answer, served, counted.requests(), counted.peakInFlight());
    }
  }

  @Test
  void queueFull_higherTierDisplacesTheNewestOfTheLowest() {
    claim("queue-displacement", "In a full queue a higher tier displaces the newest of the lowest.")
        .given("ceiling", 1)
        .given("places", 2)
        .judge(
            gate -> {
              Displaced equal = newcomer("/low/newcomer");
              gate.control("newcomer", equal.newcomer(), exactly(503));
              gate.control("newest_low", equal.newest(), exactly(200));

              Displaced higher = newcomer("/high/newcomer");
              gate.measured("newcomer", higher.newcomer(), exactly(200));
              gate.measured("newest_low", higher.newest(), exactly(503));
              gate.measured("oldest_low", higher.oldest(), exactly(200));
              gate.measured("origin_asked_for_newest_low", higher.newestAsked(), exactly(0));
            });
  }

  private record Displaced(long newcomer, long newest, long oldest, long newestAsked) {}

  private static Displaced newcomer(String path) {
    String routes =
        "routes:\n  - { id: low, match: \"/low/**\", class: private_dynamic, priority: low }\n"
            + "  - { id: high, match: \"/high/**\", class: private_dynamic, priority: high }\n";
    String origin = concurrency(1, 2, "20s") + ", priorities: { low: 100 }";
    try (var stack = new Stack("", origin, routes)) {
      var held = stack.crowd(1, "/low/held?ms=2500");
      stack.awaitOrigin("the held request", counted -> counted.inFlight() == 1);
      var oldest = stack.crowd(1, "/low/oldest?ms=1");
      stack.awaitWaiting(1);
      var newest = stack.crowd(1, "/low/newest?ms=1");
      stack.awaitWaiting(2);
      int newcomer = stack.fetch(path + "?ms=1").status();
      held.join();
      return new Displaced(
          newcomer,
          newest.join().visits().get(0).status(),
          oldest.join().visits().get(0).status(),
          stack.counted().requestsUnder("/low/newest"));
    }
  }

  @Test
  void queueDeadline_answersThenAndTheOriginNeverHearsOfIt() {
    claim("queue-deadline", "At its deadline a waiter is answered; the origin hears nothing.")
        .given("ceiling", 1)
        .given("timeout", "2 s")
        .given("held", "3.5 s")
        .judge(
            gate -> {
              Late patient = waitFor("20s");
              gate.control("status", patient.answer().status(), exactly(200));
              gate.control("answered_after_millis", patient.answer().tookMillis(), above(3000));

              Late late = waitFor("2s");
              gate.measured("status", late.answer().status(), exactly(503));
              gate.measured(
                  "answered_after_millis", late.answer().tookMillis(), between(1950, 3000));
              gate.measured("origin_requests", late.requests(), exactly(1));
            });
  }

  private static Late waitFor(String timeout) {
    try (var stack = new Stack("", concurrency(1, 10, timeout), "")) {
      var held = stack.crowd(1, "/held?ms=3500");
      stack.awaitOrigin("the held request", counted -> counted.inFlight() == 1);
      Stack.Answer answer = stack.fetch("/late?ms=1");
      long served = held.join().complete(200);
      var counted = stack.counted();
      return new Late(answer, served, counted.requests(), counted.peakInFlight());
    }
  }

  private static String concurrency(int ceiling, int places, String timeout) {
    return "concurrency: { max: %d, queue: { max: %d, timeout: %s, predict: false } }"
        .formatted(ceiling, places, timeout);
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }
}
