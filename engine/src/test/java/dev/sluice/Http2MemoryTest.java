package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.RawFrames.Frame;
import dev.sluice.fixture.SlowOrigin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the streams of HTTP/2 hold is in the same account as all else (DEC-32, DEC-38, F02). */
class Http2MemoryTest {

  private static final int BOUND = 128 << 10;
  private static final int CONNECTIONS = 4;
  private static final int STREAMS = 10;
  private static final int BODY = 200_000;
  private static final int FRAME = 16 * 1024;

  /** What a stream may send before it is credited: {@code server.read_ahead}. */
  private static final int STREAM_WINDOW = 64 << 10;

  /** What a connection may before it hears of us (RFC 9113 6.9.2), and then. */
  private static final int RFC_WINDOW = 65_535;

  private static final int CONNECTION_WINDOW = 256 << 10;

  @RegisterExtension static final Running running = new Running();

  /** A client that sends on all its streams as far as the windows go. Confined to the test. */
  private static final class Uploader {

    private final RawFrames frames;
    private final Map<Integer, Integer> left = new HashMap<>();
    private final Map<Integer, Integer> windows = new HashMap<>();
    private int window;
    private int answered;

    Uploader(RawFrames frames) {
      this.frames = frames;
      window = RFC_WINDOW + frames.await(RawFrames.WINDOW_UPDATE).number(0);
      assertThat(window).isEqualTo(CONNECTION_WINDOW);
      for (int i = 0; i < STREAMS; i++) {
        int stream = 2 * i + 1;
        frames.request(stream, "POST", "/up?upload=1", false, "content-length", "" + BODY);
        left.put(stream, BODY);
        windows.put(stream, STREAM_WINDOW);
      }
    }

    /** Sends what may be sent now. */
    void send() {
      for (int stream : List.copyOf(left.keySet())) {
        int may = Math.min(window, Math.min(of(left, stream), of(windows, stream)));
        for (; may > 0; may -= FRAME) {
          int length = Math.min(may, FRAME);
          window -= length;
          windows.merge(stream, -length, Integer::sum);
          boolean end = left.merge(stream, -length, Integer::sum) == 0;
          frames.data(stream, end, new byte[length]);
        }
      }
    }

    private static int of(Map<Integer, Integer> bytes, int stream) {
      return bytes.getOrDefault(stream, 0);
    }

    /** Goes on until every stream has its answer. */
    void finish() {
      while (answered < STREAMS) {
        send();
        Frame frame = Objects.requireNonNull(frames.next(), "the end before all answers");
        switch (frame.type()) {
          case RawFrames.WINDOW_UPDATE -> {
            if (frame.stream() == 0) {
              window += frame.number(0);
            } else {
              windows.merge(frame.stream(), frame.number(0), Integer::sum);
            }
          }
          case RawFrames.HEADERS -> assertThat(frames.section().get(":status")).isEqualTo("200");
          case RawFrames.DATA -> {
            if (frame.has(RawFrames.END_STREAM)) {
              assertThat(new String(frame.payload(), StandardCharsets.US_ASCII))
                  .contains("\"length\":" + BODY);
              answered++;
            }
          }
          default -> assertThat(frame.type()).isNotIn(RawFrames.RST_STREAM, RawFrames.GOAWAY);
        }
      }
    }
  }

  /**
   * Forty streams may send 64 KiB each unasked, 2.5 MiB. Past the account the connections' own
   * windows are not opened any more, so that each holds one of them at most; and once there is room
   * all come through whole.
   */
  @Test
  void dec32_requestMemory_boundsWhatWaitingStreamsHold() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            Http2Wire.h2c()
                .server("request_memory: 128KiB")
                .origin(
                    "concurrency: { max: 1, queue: { max: 50, timeout: 9s, predict: false } }"));
    RawClient holder = running.client(proxy).get("/hold?ms=1000");
    Running.awaitInFlight(proxy, 1);

    List<Uploader> uploaders = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      var uploader = new Uploader(Http2Wire.connect(running, proxy));
      uploader.send();
      uploaders.add(uploader);
    }
    Running.awaitWaiting(proxy, CONNECTIONS * STREAMS);

    assertThat(proxy.status().memory().requestBytesHeld())
        .isBetween((long) BOUND, (long) BOUND + CONNECTIONS * CONNECTION_WINDOW);
    assertThat(holder.readAll().status()).isEqualTo(200);
    uploaders.forEach(Uploader::finish);
    Running.await("0 bytes", () -> proxy.status().memory().requestBytesHeld() == 0);
    assertThat(origin.stats().requests()).isEqualTo(1 + CONNECTIONS * STREAMS);
  }

  /** What is not a whole frame, or not a whole header block, is held, too. */
  @Test
  void dec32_requestMemory_countsWhatIsNotWhole() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, proxy);
    client.frame(RawFrames.HEADERS, RawFrames.END_STREAM, 1, new byte[3_000]);
    Running.await("3000 bytes", () -> proxy.status().memory().requestBytesHeld() == 3_000);

    byte[] further = RawFrames.encoded(RawFrames.CONTINUATION, 0, 1, new byte[1_000]);
    client.raw(Arrays.copyOf(further, 500));
    Running.await("3500 bytes", () -> proxy.status().memory().requestBytesHeld() == 3_500);
    client.client().reset();

    Running.await("0 bytes", () -> proxy.status().memory().requestBytesHeld() == 0);
  }

  /** Streams that are reset, and whole connections that leave, take their bytes out of it. */
  @Test
  void dec32_requestMemory_isGivenBackByThoseWhoLeave() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = Http2Wire.connect(running, proxy);
    for (int stream : new int[] {1, 3}) {
      client.request(stream, "POST", "/up", false, "content-length", "9000");
      client.data(stream, false, new byte[100]);
    }
    Running.await("200 bytes", () -> proxy.status().memory().requestBytesHeld() == 200);

    client.reset(1, Http2Wire.CANCEL);
    Running.await("100 bytes", () -> proxy.status().memory().requestBytesHeld() == 100);
    client.client().reset();
    Running.await("0 bytes", () -> proxy.status().memory().requestBytesHeld() == 0);
    assertThat(origin.stats().requests()).isZero();
  }
}
