package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Queues are bounded in length and in time: ADM-04 to ADM-10, DEC-31, CLI-07, CLI-08. */
class QueueGate {

  private static final String ROUTES =
      "routes:\n  - { id: low, match: \"/low/**\", class: private_dynamic, priority: low }\n"
          + "  - { id: high, match: \"/high/**\", class: private_dynamic, priority: high }\n";

  @Test
  void queueFull_nextIsShedAtOnceAndTheOriginNeverHearsOfIt() {
    try (var stack =
        new Stack(
            "", "concurrency: { max: 16, queue: { max: 32, timeout: 20s, predict: false } }", "")) {
      List<Future<Integer>> waiting =
          stack.crowd(48, number -> Stack.fetch(stack.port(), "/page/" + number + "?ms=1500"));
      awaitWaiting(stack, 32);
      long began = System.nanoTime();
      try (var client = new RawHttp(stack.port())) {
        String head = client.get("/page/49?ms=1500", "Connection: close").head();
        long tookMillis = (System.nanoTime() - began) / 1_000_000;
        assertThat(head)
            .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
            .contains("\r\nRetry-After: ");
        assertThat(tookMillis).isLessThan(500);
        Stack.report("queue full", "16 in flight, 32 waiting: the 49th shed in %d ms", tookMillis);
      }
      assertThat(Stack.results(waiting)).containsOnly(200);
      assertThat(stack.counted().requests()).isEqualTo(48);
      assertThat(stack.counted().peakInFlight()).isEqualTo(16);
    }
  }

  @Test
  void queueFull_higherTierDisplacesTheNewestOfTheLowest() {
    String origin =
        "concurrency: { max: 1, queue: { max: 2, timeout: 20s, predict: false } },"
            + " priorities: { low: 100 }";
    try (var stack = new Stack("", origin, ROUTES)) {
      List<Future<Integer>> held =
          stack.crowd(1, n -> Stack.fetch(stack.port(), "/low/held?ms=2500"));
      stack.awaitOrigin("the held request", counted -> counted.inFlight() == 1);
      List<Future<Integer>> first =
          stack.crowd(1, n -> Stack.fetch(stack.port(), "/low/first?ms=10"));
      awaitWaiting(stack, 1);
      List<Future<Integer>> second =
          stack.crowd(1, n -> Stack.fetch(stack.port(), "/low/second?ms=10"));
      awaitWaiting(stack, 2);
      List<Future<Integer>> high = stack.crowd(1, n -> Stack.fetch(stack.port(), "/high/x?ms=10"));

      assertThat(Stack.results(second)).containsExactly(503);
      assertThat(Stack.results(high)).containsExactly(200);
      assertThat(Stack.results(first)).containsExactly(200);
      assertThat(Stack.results(held)).containsExactly(200);
      assertThat(stack.counted().paths()).doesNotContainKey("/low/second");
      Stack.report("displacement", "newest low shed for a high, queue max %d", 2);
    }
  }

  @Test
  void queueDeadline_answersThenAndTheOriginNeverHearsOfIt() {
    try (var stack =
        new Stack(
            "", "concurrency: { max: 1, queue: { max: 10, timeout: 2s, predict: false } }", "")) {
      List<Future<Integer>> held = stack.crowd(1, n -> Stack.fetch(stack.port(), "/held?ms=5000"));
      stack.awaitOrigin("the held request", counted -> counted.inFlight() == 1);
      long began = System.nanoTime();
      int status = Stack.fetch(stack.port(), "/late?ms=10");
      long tookMillis = (System.nanoTime() - began) / 1_000_000;
      Stack.results(held);
      Stack.report("queue deadline", "timeout 2 s: status %d after %d ms", status, tookMillis);

      assertThat(status).isEqualTo(503);
      assertThat(tookMillis).isBetween(1950L, 2600L);
      assertThat(stack.counted().requests()).isEqualTo(1);
    }
  }

  static void awaitWaiting(Stack stack, int count) {
    Stack.await(
        count + " waiting",
        () ->
            stack
                .sluice()
                .metrics()
                .contains("sluice_queue_waiting{permit=\"render\"} " + count + ".0"));
  }
}
