package dev.sluice.bench;

import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.PeerEnd;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that leaves its queue frees its place, and the origin never hears of it (A01, DEC-27).
 */
class ClientGoneGate {

  private static final int CLIENTS = 10;

  /** The ways to leave. */
  enum Way {
    RST,
    FIN,
    HALF_CLOSE
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void clientGoneWhileQueued_originIsNeverAsked(Way way) {
    String name = "client-gone-" + way.name().toLowerCase(Locale.ROOT).replace('_', '-');
    claim(name, "A client that leaves while it waits frees its place; the origin is never asked.")
        .given("clients", CLIENTS)
        .given("leave_by", way)
        .judge(
            gate -> {
              try (var stack = stack("")) {
                var held = hold(stack);
                var staying = stack.crowd(CLIENTS, "/stay/%d?ms=1");
                stack.awaitWaiting(CLIENTS);
                gate.control("answered_200", staying.join().complete(200), exactly(CLIENTS));
                gate.control(
                    "origin_asked", stack.counted().requestsUnder("/stay"), exactly(CLIENTS));
                held.join();

                held = hold(stack);
                leave(stack, way);
                stack.awaitWaiting(0);
                held.join();
                gate.measured("next_status", stack.fetch("/after?ms=1").status(), exactly(200));
                gate.measured("origin_asked", stack.counted().requestsUnder("/gone"), exactly(0));
              }
            });
  }

  @Test
  void halfClose_underServe_isAnswered() {
    claim("half-close-serve", "Where half-closing is allowed, who half-closes is served.")
        .given("half_close", "serve")
        .judge(
            gate -> {
              try (var stack = stack("")) {
                var held = hold(stack);
                try (var client = stack.connect().get("/gone/half?ms=1")) {
                  stack.awaitWaiting(1);
                  client.halfClose();
                  client.awaitEnd();
                }
                held.join();
                gate.control("origin_asked", stack.counted().requestsUnder("/gone"), exactly(0));
              }
              try (var stack = stack(", half_close: serve")) {
                var held = hold(stack);
                try (var client = stack.connect().get("/gone/half?ms=1")) {
                  stack.awaitWaiting(1);
                  client.halfClose();
                  gate.measured("status", client.readAll().status(), exactly(200));
                  gate.measured("then", client.awaitEnd(), equalTo(PeerEnd.FIN));
                }
                held.join();
                gate.measured("origin_asked", stack.counted().requestsUnder("/gone"), exactly(1));
              }
            });
  }

  private static Stack stack(String server) {
    return new Stack(
        server, "concurrency: { max: 1, queue: { max: 50, timeout: 30s, predict: false } }", "");
  }

  /** Takes the one permit. */
  private static CompletableFuture<CrowdResult> hold(Stack stack) {
    var held = stack.crowd(1, "/held?ms=3000");
    stack.awaitOrigin("the held request", counted -> counted.inFlight() == 1);
    return held;
  }

  private static void leave(Stack stack, Way way) {
    RawClient[] clients = new RawClient[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
      clients[i] = stack.connect().get("/gone/" + i + "?ms=1");
    }
    stack.awaitWaiting(CLIENTS);
    for (RawClient client : clients) {
      switch (way) {
        case RST -> client.reset();
        case FIN -> client.close();
        case HALF_CLOSE -> {
          client.halfClose();
          client.awaitEnd();
          client.close();
        }
      }
    }
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }
}
