package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that leaves its queue frees its place, and the origin never hears of it (A01, DEC-27).
 */
class ClientGoneGate {

  private static final int GONE = 10;

  /** The ways to leave. */
  enum Way {
    RST,
    FIN,
    HALF_CLOSE
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void clientGoneWhileQueued_originIsNeverAsked(Way way) {
    try (var stack = stack("")) {
      List<Future<Integer>> held = hold(stack);
      leave(stack, way);
      QueueGate.awaitWaiting(stack, 0);
      Stack.results(held);
      int after = Stack.fetch(stack.port(), "/after?ms=1");
      long asked = stack.counted().requestsUnder("/gone");
      Stack.report("client gone, " + way, "%d left while queued, origin asked for %d", GONE, asked);

      assertThat(after).isEqualTo(200);
      assertThat(asked).isZero();
    }
  }

  /** The control: who may half-close and be served, is. */
  @Test
  void halfClose_underServe_isAnswered() {
    try (var stack = stack(", half_close: serve")) {
      List<Future<Integer>> held = hold(stack);
      try (var client = new RawHttp(stack.port())) {
        client.get("/gone/half?ms=10").halfClose();

        assertThat(client.status()).isEqualTo(200);
        assertThat(client.closesWithin(5000)).isTrue();
      }
      Stack.results(held);
      assertThat(stack.counted().requestsUnder("/gone")).isEqualTo(1);
      Stack.report("half-close under serve", "answered, origin asked for %d", 1);
    }
  }

  private static Stack stack(String server) {
    return new Stack(
        server, "concurrency: { max: 1, queue: { max: 50, timeout: 30s, predict: false } }", "");
  }

  private static List<Future<Integer>> hold(Stack stack) {
    List<Future<Integer>> held = stack.crowd(1, n -> Stack.fetch(stack.port(), "/held?ms=3000"));
    stack.awaitOrigin("the held request", counted -> counted.inFlight() == 1);
    return held;
  }

  private static void leave(Stack stack, Way way) {
    RawHttp[] clients = new RawHttp[GONE];
    for (int i = 0; i < GONE; i++) {
      clients[i] = new RawHttp(stack.port()).get("/gone/" + i + "?ms=1");
    }
    QueueGate.awaitWaiting(stack, GONE);
    for (RawHttp client : clients) {
      switch (way) {
        case RST -> client.reset();
        case FIN -> client.close();
        case HALF_CLOSE -> {
          client.halfClose();
          assertThat(client.closesWithin(5000)).isTrue();
        }
      }
    }
  }
}
