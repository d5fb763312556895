package dev.sluice.bench;

import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** WebSockets are refused until they are allowed, and then bounded apart: PRX-14 to 18, DEC-41. */
class WebSocketGate {

  private static final int CEILING = 2;

  private static final String HANDSHAKE =
      "GET /socket HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

  /** A masked text frame "hi", and what an echo says of it (RFC 6455 5.7). */
  private static final byte[] HI = {(byte) 0x81, (byte) 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2};

  private static final byte[] ECHO = {(byte) 0x81, 2, 'h', 'i'};

  /** One permit for renders, which no socket may take. */
  private static final String ONE_RENDER = "concurrency: { max: 1 }";

  @Test
  void sockets_areRefusedWhenOff_andTunnelledUnderTheirOwnCeilingWhenOn() {
    Gate.claim(
            "websocket",
            "Off, a handshake gets 501; on, it becomes a tunnel, under a ceiling of its own.",
            RepoRoot.path())
        .given("ceiling_of_sockets", CEILING)
        .given("ceiling_of_renders", 1)
        .judge(
            gate -> {
              try (var stack = new Stack("", ONE_RENDER, "")) {
                gate.control("status_when_off", shake(stack).readAll().status(), exactly(501));
                gate.control("origin_sockets_when_off", stack.counted().socketsTotal(), exactly(0));
                gate.control("origin_requests_when_off", stack.counted().requests(), exactly(0));
              }
              String on = "upgrade: { enabled: true, max_concurrent: %d }\n".formatted(CEILING);
              try (var stack = new Stack("", ONE_RENDER, on)) {
                whenOn(gate, stack);
              }
            });
  }

  private static void whenOn(Gate gate, Stack stack) {
    try (var first = shake(stack);
        var second = shake(stack)) {
      gate.measured("first_echoes", echoes(first), exactly(1));
      gate.measured("second_echoes", echoes(second), exactly(1));
      try (var third = shake(stack)) {
        gate.measured("status_above_the_ceiling", third.readAll().status(), exactly(503));
      }
      gate.measured("sockets_at_the_origin", stack.counted().socketsTotal(), exactly(CEILING));
      gate.measured("page_beside_them", stack.fetch("/page?bytes=100").status(), exactly(200));

      first.reset();
      stack.awaitOrigin("the end of the first socket", counted -> counted.socketsNow() == 1);
      stack.awaitSockets(1);
      try (var next = shake(stack)) {
        gate.measured("next_echoes", echoes(next), exactly(1));
      }
    }
  }

  private static RawClient shake(Stack stack) {
    return stack.connect().send(HANDSHAKE);
  }

  /** 1 where the handshake was agreed to and a frame comes back. */
  private static int echoes(RawClient socket) {
    String agreed = socket.readHead();
    if (!agreed.startsWith("HTTP/1.1 101 ")) {
      return 0;
    }
    return Arrays.equals(socket.send(HI).readBody(ECHO.length), ECHO) ? 1 : 0;
  }
}
