package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The origin's own peak is the ceiling's, whatever arrives: ADM-01, 02, 18, 19, DEC-33, BEY-14. */
class CeilingGate {

  private static final String PATIENT = "queue: { max: 500, timeout: 30s, predict: false }";

  @Test
  void crowdOfDistinctPages_originPeak_isTheCeiling() {
    try (var stack = new Stack("", "concurrency: { max: 10, " + PATIENT + " }", "")) {
      List<Integer> direct = crowd(stack, stack.originPort(), 60, "/page/%d?ms=1000");
      long control = stack.counted().peakInFlight();
      stack.resetCounts();
      List<Integer> governed = crowd(stack, stack.port(), 60, "/page/%d?ms=1000");
      long peak = stack.counted().peakInFlight();
      Stack.report(
          "admission", "60 pages of 1 s, ceiling 10: peak %d directly, %d governed", control, peak);

      assertThat(direct).containsOnly(200);
      assertThat(governed).containsOnly(200);
      assertThat(control).isEqualTo(60);
      assertThat(peak).isEqualTo(10);
    }
  }

  @Test
  void routeCeiling_holdsForItsRouteOnly() {
    String routes =
        "routes:\n  - { id: search, match: \"/search/**\", class: private_dynamic,"
            + " concurrency: { max: 3, queue: { max: 100, timeout: 30s } } }\n";
    try (var stack = new Stack("", "concurrency: { max: 20, " + PATIENT + " }", routes)) {
      crowd(stack, stack.port(), 20, "/other/%d?ms=300");
      long control = stack.counted().peakInFlight();
      stack.resetCounts();
      crowd(stack, stack.port(), 20, "/search/%d?ms=300");
      long peak = stack.counted().peakInFlight();
      Stack.report("route ceiling", "route max 3 of 20: peak %d, without it %d", peak, control);

      assertThat(control).isEqualTo(20);
      assertThat(peak).isEqualTo(3);
    }
  }

  @Test
  void tierCeiling_holdsAndLeavesRoomForTheHigher() {
    String origin = "concurrency: { max: 10, " + PATIENT + " }, priorities: { low: 30 }";
    String routes =
        "routes:\n  - { id: images, match: \"/img/**\", class: private_dynamic, priority: low }\n";
    try (var stack = new Stack("", origin, routes)) {
      List<Future<Integer>> low = start(stack, stack.port(), 20, "/img/%d?ms=500");
      stack.awaitOrigin("low work at its ceiling", counted -> counted.inFlight() == 3);
      long began = System.nanoTime();
      int status = Stack.fetch(stack.port(), "/page?ms=50");
      long tookMillis = (System.nanoTime() - began) / 1_000_000;
      Stack.results(low);
      long peak = stack.counted().peakInFlight();
      Stack.report(
          "tier ceiling", "low 30%% of 10: a page beside it %d ms, peak %d", tookMillis, peak);

      assertThat(status).isEqualTo(200);
      assertThat(tookMillis).isLessThan(400);
      assertThat(peak).isEqualTo(4);
    }
  }

  @Test
  void reservation_admitsAtOnceBesideAFlood() {
    String routes =
        "routes:\n  - { id: health, match: \"/healthz2\", class: private_dynamic, priority: high }\n";
    String flood = "/flood/%d?ms=1500";
    long[] took = new long[2];
    String[] origins = {
      "concurrency: { max: 4, " + PATIENT + " }, priorities: { low: 100 }",
      "concurrency: { max: 4, " + PATIENT + " }, reservations: { high: 25 }"
    };
    for (int i = 0; i < origins.length; i++) {
      int busy = i == 0 ? 4 : 3;
      try (var stack = new Stack("", origins[i], routes)) {
        List<Future<Integer>> running = start(stack, stack.port(), 8, flood);
        stack.awaitOrigin("the flood", counted -> counted.inFlight() == busy);
        long began = System.nanoTime();
        assertThat(Stack.fetch(stack.port(), "/healthz2?ms=1")).isEqualTo(200);
        took[i] = (System.nanoTime() - began) / 1_000_000;
        Stack.results(running);
      }
    }
    Stack.report(
        "reservation", "beside a flood: %d ms with 25%% reserved, %d without", took[1], took[0]);

    assertThat(took[1]).isLessThan(500);
    assertThat(took[0]).isGreaterThan(700);
  }

  @Test
  void staticAndStreaming_haveCeilingsOfTheirOwnAndTakeNoRenderPermit() {
    String origin = "concurrency: { max: 1, static: 4, streaming: 3, " + PATIENT + " }";
    String routes =
        "routes:\n  - { id: assets, match: \"/assets/**\", class: static }\n"
            + "  - { id: events, match: \"/events/**\", class: streaming }\n";
    try (var stack = new Stack("", origin, routes)) {
      List<Future<Integer>> render = start(stack, stack.port(), 1, "/page/%d?ms=4000");
      stack.awaitOrigin("the one render", counted -> counted.inFlight() == 1);
      List<Integer> assets = crowd(stack, stack.port(), 12, "/assets/%d.js?ms=3000");
      long served = assets.stream().filter(status -> status == 200).count();
      long shed = assets.stream().filter(status -> status == 503).count();
      List<Integer> events = crowd(stack, stack.port(), 5, "/events/%d?ms=500");
      Stack.results(render);
      long peak = stack.counted().peakInFlight();
      Stack.report(
          "class ceilings",
          "static 4: %d of 12 served, %d shed; streaming 3: %s; peak %d beside one render",
          served,
          shed,
          events,
          peak);

      assertThat(served).isEqualTo(4);
      assertThat(shed).isEqualTo(8);
      assertThat(events.stream().filter(status -> status == 200).count()).isEqualTo(3);
      assertThat(peak).isEqualTo(5);
    }
  }

  private static List<Integer> crowd(Stack stack, int port, int count, String target) {
    return Stack.results(start(stack, port, count, target));
  }

  private static List<Future<Integer>> start(Stack stack, int port, int count, String target) {
    return stack.crowd(count, number -> Stack.fetch(port, target.formatted(number)));
  }
}
