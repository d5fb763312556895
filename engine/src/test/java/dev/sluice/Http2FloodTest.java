package dev.sluice;

import static dev.sluice.Http2Wire.CANCEL;
import static dev.sluice.Http2Wire.ENHANCE_YOUR_CALM;
import static dev.sluice.Http2Wire.REFUSED_STREAM;
import static dev.sluice.fixture.RawFrames.GOAWAY;
import static dev.sluice.fixture.RawFrames.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.outcome.GoAwayReason;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** F01, A: what one client may make us do for nothing, each limit by its name and metric. */
class Http2FloodTest {

  @RegisterExtension static final Running running = new Running();

  /** Floods of frames, by the frame for each round. */
  static Stream<Arguments> floods() {
    byte[] priority = {0, 0, 0, 0, 16};
    return Stream.of(
        flood("PING", i -> RawFrames.encoded(RawFrames.PING, 0, 0, new byte[8])),
        flood("PING ACK", i -> RawFrames.encoded(RawFrames.PING, 1, 0, new byte[8])),
        flood("SETTINGS", i -> RawFrames.encoded(RawFrames.SETTINGS, 0, 0, new byte[0])),
        flood("PRIORITY", i -> RawFrames.encoded(RawFrames.PRIORITY, 0, 2 * i + 1, priority)),
        flood(
            "WINDOW_UPDATE",
            i -> RawFrames.encoded(RawFrames.WINDOW_UPDATE, 0, 0, RawFrames.number(1))),
        flood("unknown frames", i -> RawFrames.encoded(77, 0, 0, new byte[0])));
  }

  private static Arguments flood(String name, IntFunction<byte[]> frame) {
    return Arguments.of(name, frame);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("floods")
  void idleFrames_areBounded(String name, IntFunction<byte[]> frame) {
    SlowOrigin origin = running.slowOrigin();
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, sluice);
    var flood = new ByteArrayOutputStream();
    for (int i = 0; i < 10_000; i++) {
      flood.writeBytes(frame.apply(i));
    }

    sendAll(client, flood);

    assertCalmed(client, "idle_frames");
    assertThat(goAways(sluice, GoAwayReason.IDLE_FRAMES)).isEqualTo(1);
  }

  @Test
  void emptyData_isBounded() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = Http2Wire.connect(running, running.proxy(origin.port(), Http2Wire.h2c()));
    client.request(1, "POST", "/up?upload=1", false);
    var flood = new ByteArrayOutputStream();
    for (int i = 0; i < 10_000; i++) {
      flood.writeBytes(RawFrames.encoded(RawFrames.DATA, 0, 1, new byte[0]));
    }

    sendAll(client, flood);

    assertCalmed(client, "idle_frames");
  }

  /** Small frames of a request that waits cost no more memory than their bytes. */
  @Test
  void tinyData_isHeldInFewBuffers() {
    SlowOrigin origin = running.slowOrigin();
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, sluice);
    client.request(1, "POST", "/up?upload=1", false);
    var tiny = new ByteArrayOutputStream();
    for (int i = 0; i < 20_000; i++) {
      tiny.writeBytes(RawFrames.encoded(RawFrames.DATA, 0, 1, new byte[] {'a'}));
    }

    sendAll(client, tiny);
    client.data(1, true, new byte[0]);

    assertThat(client.answer(1).text()).contains("20000");
  }

  /** CVE-2023-44487. */
  @Test
  void rapidReset_isBounded_andOthersAreServed() {
    SlowOrigin origin = running.slowOrigin();
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, sluice);
    RawFrames other = Http2Wire.connect(running, sluice);
    byte[] block =
        client.block(":method", "GET", ":scheme", "http", ":path", "/?ms=1", ":authority", "a");
    var flood = new ByteArrayOutputStream();
    for (int i = 0; i < 1_000; i++) {
      int stream = 2 * i + 1;
      flood.writeBytes(RawFrames.encoded(RawFrames.HEADERS, 5, stream, block));
      flood.writeBytes(RawFrames.encoded(RST_STREAM, 0, stream, RawFrames.number(CANCEL)));
    }

    sendAll(client, flood);

    RawFrames.Frame frame = client.await(GOAWAY);
    assertThat(frame.code()).isEqualTo(ENHANCE_YOUR_CALM);
    assertThat(other.get(1, "/x?bytes=9").answer(1).body()).hasSize(9);
    assertThat(sluice.status().http2().clientResets()).isLessThanOrEqualTo(201);
  }

  /** CVE-2025-8671: resets that we send because the client made us. */
  @Test
  void provokedResets_areBounded() {
    SlowOrigin origin = running.slowOrigin();
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, sluice);
    byte[] block =
        client.block(":method", "POST", ":scheme", "http", ":path", "/?ms=1", ":authority", "a");
    var flood = new ByteArrayOutputStream();
    for (int i = 0; i < 1_000; i++) {
      int stream = 2 * i + 1;
      flood.writeBytes(RawFrames.encoded(RawFrames.HEADERS, 4, stream, block));
      flood.writeBytes(RawFrames.encoded(RawFrames.WINDOW_UPDATE, 0, stream, RawFrames.number(0)));
    }

    sendAll(client, flood);

    assertCalmed(client, "resets");
  }

  /** CVE-2024-27316 and others. */
  @Test
  void continuations_areBounded() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = Http2Wire.connect(running, running.proxy(origin.port(), Http2Wire.h2c()));
    var flood = new ByteArrayOutputStream();
    flood.writeBytes(RawFrames.encoded(RawFrames.HEADERS, 1, 1, new byte[0]));
    for (int i = 0; i < 1_000; i++) {
      flood.writeBytes(RawFrames.encoded(RawFrames.CONTINUATION, 0, 1, new byte[0]));
    }

    sendAll(client, flood);

    assertCalmed(client, "header_block");
  }

  @Test
  void headerBlock_withoutEnd_isBounded() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = Http2Wire.connect(running, running.proxy(origin.port(), Http2Wire.h2c()));
    var flood = new ByteArrayOutputStream();
    flood.writeBytes(RawFrames.encoded(RawFrames.HEADERS, 1, 1, new byte[16_384]));
    for (int i = 0; i < 20; i++) {
      flood.writeBytes(RawFrames.encoded(RawFrames.CONTINUATION, 0, 1, new byte[16_384]));
    }

    sendAll(client, flood);

    assertCalmed(client, "header_block");
  }

  @Test
  void streams_beyondTheLimit_areRefusedAndTheOthersServed() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "ok")).hold());
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, sluice);
    for (int stream = 1; stream <= 201; stream += 2) {
      client.get(stream, "/");
    }

    RawFrames.Frame refused = client.await(RST_STREAM);

    assertThat(refused.stream()).isEqualTo(201);
    assertThat(refused.code()).isEqualTo(REFUSED_STREAM);
    assertThat(sluice.status().http2().streams()).isEqualTo(100);
    assertThat(sluice.status().http2().refused()).isEqualTo(1);
    origin.release();
    assertThat(client.answer(1).text()).isEqualTo("ok");
  }

  /** DEC-28: eight flights left behind, and the connection gets no further stream. */
  @Test
  void dec28_eightLeftFlights_noFurtherStream_thenCalm() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "ok")).hold());
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, sluice);
    for (int i = 0; i < 9; i++) {
      client.get(2 * i + 1, "/" + i);
    }
    origin.awaitRequests(9);
    for (int i = 0; i < 8; i++) {
      client.reset(2 * i + 1, CANCEL);
    }

    client.get(101, "/more");
    RawFrames.Frame refused = client.await(RST_STREAM);
    assertThat(refused.code()).isEqualTo(REFUSED_STREAM);
    assertThat(origin.requests()).isEqualTo(9);

    client.reset(17, CANCEL);
    assertCalmed(client, "left_flights");
  }

  /** The same, but one of them ends. */
  @Test
  void dec28_leftFlightThatEnds_makesRoom() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "ok")).hold());
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, sluice);
    for (int i = 0; i < 8; i++) {
      client.get(2 * i + 1, "/" + i);
    }
    origin.awaitRequests(8);
    for (int i = 0; i < 8; i++) {
      client.reset(2 * i + 1, CANCEL);
    }
    assertThat(client.isAlive()).isTrue();

    origin.release();
    Running.await("the flights' end", () -> sluice.status().work().flights() == 0);

    assertThat(client.get(101, "/more").answer(101).text()).isEqualTo("ok");
  }

  /** DEC-27: a reset frees a place in the queue at once, and the origin never hears. */
  @Test
  void dec27_waiterResets_freesItsPlace() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "ok")).hold());
    ProxyFile file =
        Http2Wire.h2c()
            .origin("concurrency: { max: 1, queue: { max: 10, timeout: 8s, predict: false } }");
    Sluice sluice = running.proxy(origin.port(), file);
    RawFrames client = Http2Wire.connect(running, sluice);
    client.get(1, "/hold");
    origin.awaitRequests(1);
    for (int stream = 3; stream < 13; stream += 2) {
      client.get(stream, "/wait");
    }
    Running.awaitWaiting(sluice, 5);

    for (int stream = 3; stream < 13; stream += 2) {
      client.reset(stream, CANCEL);
    }

    Running.awaitWaiting(sluice, 0);
    origin.release();
    assertThat(client.answer(1).text()).isEqualTo("ok");
    assertThat(origin.requests()).isEqualTo(1);
  }

  private static long goAways(Sluice sluice, GoAwayReason reason) {
    return Objects.requireNonNull(sluice.status().http2().goAways().get(reason.code()));
  }

  /** What is left of a flood need not be taken. */
  private static void sendAll(RawFrames client, ByteArrayOutputStream flood) {
    try {
      client.raw(flood.toByteArray());
    } catch (UncheckedIOException cut) {
      assertThat(cut).isNotNull();
    }
  }

  private static void assertCalmed(RawFrames client, String why) {
    RawFrames.Frame frame = client.await(GOAWAY);
    assertThat(frame.code()).isEqualTo(ENHANCE_YOUR_CALM);
    assertThat(new String(frame.payload(), StandardCharsets.ISO_8859_1)).endsWith(why);
  }
}
