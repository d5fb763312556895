package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The process is told to stop: DEC-05, OPS-16 to OPS-19. Times are the client's own. */
final class StopSignalsTest {

  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void term_failsReadinessAndServesOnForTheDrainPeriod_thenEndsWith0() {
    try (var stack = Governed.by(config("2s", "20s"));
        RawClient slow = stack.beginAtOrigin("/slow?ms=3500&bytes=5000")) {
      long told = System.nanoTime();
      stack.process().signal("TERM");
      Governed.await("readiness to fail", () -> stack.readiness() == 503);

      assertThat(stack.get("/meanwhile").status()).isEqualTo(200);
      assertThat(stack.sluice().admin("/health/live").status()).isEqualTo(200);
      assertThat(millisSince(told)).as("both answered within the period").isLessThan(2_000);

      Governed.await("the listener to close", () -> !stack.acceptsConnections());
      assertThat(millisSince(told)).isBetween(1_950L, 3_400L);
      RawResponse answer = slow.readAll();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).hasSize(5_000);
      assertThat(stack.process().waitForExit(LONG)).isZero();
      assertThat(millisSince(told)).as("nothing in flight, nothing to wait for").isLessThan(8_000);
      Governed.await("both ends", () -> stack.origin().stats().finishedWriting() == 2);
    }
  }

  @Test
  void term_withoutADrainPeriod_closesTheListenerAndIdleConnectionsAtOnce() {
    try (var stack = Governed.by(config("0s", "20s"));
        RawClient idle = RawClient.connect(stack.port());
        RawClient slow = stack.beginAtOrigin("/slow?ms=1500&bytes=5000")) {
      assertThat(idle.get("/first").readAll().status()).isEqualTo(200);

      stack.process().signal("TERM");

      assertThat(idle.awaitEnd()).isEqualTo(PeerEnd.FIN);
      Governed.await("the listener to close", () -> !stack.acceptsConnections());
      assertThat(stack.readiness()).isEqualTo(503);
      assertThat(slow.readAll().body()).hasSize(5_000);
      assertThat(stack.process().waitForExit(LONG)).isZero();
    }
  }

  @Test
  void request_thatOutlastsTheShutdownTimeout_isCut() {
    try (var stack = Governed.by(config("0s", "1s"));
        RawClient hanging = stack.beginAtOrigin("/never?fail=hang")) {
      long told = System.nanoTime();
      stack.process().signal("TERM");

      hanging.awaitEnd();
      assertThat(millisSince(told)).isBetween(950L, 4_000L);
      assertThat(stack.process().waitForExit(LONG)).isZero();
      assertThat(stack.process().tail()).anyMatch(line -> line.contains("cutting 1 connection"));
    }
  }

  @Test
  void secondTerm_skipsTheDrainPeriod_andWhatIsInFlightStillFinishes() {
    try (var stack = Governed.by(config("60s", "20s"));
        RawClient slow = stack.beginAtOrigin("/slow?ms=2000&bytes=5000")) {
      stack.process().signal("TERM");
      Governed.await("readiness to fail", () -> stack.readiness() == 503);
      assertThat(stack.acceptsConnections()).isTrue();

      stack.process().signal("TERM");

      Governed.await("the listener to close", () -> !stack.acceptsConnections());
      assertThat(slow.readAll().body()).hasSize(5_000);
      assertThat(stack.process().waitForExit(LONG)).isZero();
    }
  }

  @Test
  void thirdSignal_cutsWhatIsInFlight() {
    try (var stack = Governed.by(config("60s", "60s"));
        RawClient hanging = stack.beginAtOrigin("/never?fail=hang")) {
      stack.process().signal("TERM");
      Governed.await("readiness to fail", () -> stack.readiness() == 503);
      stack.process().signal("INT");
      Governed.await("the listener to close", () -> !stack.acceptsConnections());
      assertThat(stack.process().isAlive()).isTrue();

      stack.process().signal("INT");

      hanging.awaitEnd();
      assertThat(stack.process().waitForExit(LONG)).isZero();
    }
  }

  @Test
  void usr1_drainsWithoutStopping_andAnInterruptThenWaitsOnlyTheRest() {
    try (var stack = Governed.by(config("1s", "20s"))) {
      stack.process().signal("USR1");
      Governed.await("readiness to fail", () -> stack.readiness() == 503);
      // The drain has begun by now.
      Deadline period = Deadline.in(Duration.ofMillis(1_050));
      assertThat(stack.status().get("draining").asBoolean()).isTrue();
      do {
        assertThat(stack.get("/drained").status()).isEqualTo(200);
      } while (!period.isOver());

      stack.process().signal("INT");

      assertThat(stack.process().waitForExit(LONG)).isZero();
      assertThat(stack.process().tail())
          .anyMatch(line -> line.endsWith("stopped"))
          .noneMatch(line -> line.contains("stopping in"));
    }
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  private static String config(String drainPeriod, String shutdownTimeout) {
    return """
        version: 1
        server:
          listen: "127.0.0.1:{{port}}"
          event_loops: 1
          graceful: { drain_period: %s, shutdown_timeout: %s }
        timeouts: { origin_response: 60s }
        origin: { upstreams: ["{{origin}}"] }
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(drainPeriod, shutdownTimeout);
  }
}
