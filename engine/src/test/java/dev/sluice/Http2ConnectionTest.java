package dev.sluice;

import static dev.sluice.Http2Wire.FLOW_CONTROL_ERROR;
import static dev.sluice.Http2Wire.PROTOCOL_ERROR;
import static dev.sluice.Http2Wire.assertGoneAway;
import static dev.sluice.Http2Wire.bytes;
import static dev.sluice.fixture.RawFrames.ACK;
import static dev.sluice.fixture.RawFrames.DATA;
import static dev.sluice.fixture.RawFrames.HEADERS;
import static dev.sluice.fixture.RawFrames.PING;
import static dev.sluice.fixture.RawFrames.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection of HTTP/2 begins, what it answers of itself, and its windows. */
class Http2ConnectionTest {

  @RegisterExtension static final Running running = new Running();
  private static Sluice sluice;

  @BeforeAll
  static void start() {
    SlowOrigin origin = running.slowOrigin();
    sluice = running.proxy(origin.port(), Http2Wire.h2c());
  }

  private static RawFrames connect(int... settings) {
    return Http2Wire.connect(running, sluice, settings);
  }

  /** RFC 9113 3.4: three words that end in no version of HTTP/1 are no request of it either. */
  @Test
  void preface_otherBytes_goesAway() {
    RawFrames client = RawFrames.on(running.client(sluice));

    client.raw(
        "INVALID CONNECTION PREFACE\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    assertGoneAway(client, PROTOCOL_ERROR);
  }

  /** Whatever else may be wrong with a request of HTTP/1.1 is answered in its own words. */
  @ParameterizedTest
  @ValueSource(strings = {"GET  /x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x\r\n\r\n", "oops\r\n\r\n"})
  void preface_brokenRequest_is400(String request) {
    RawFrames client = RawFrames.on(running.client(sluice));

    client.client().send(request);

    assertThat(client.client().readHead()).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void preface_firstFrameIsNotSettings_goesAway() {
    RawFrames client = RawFrames.on(running.client(sluice));
    client.raw(RawFrames.PREFACE.getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    client.ping(1);

    assertGoneAway(client, PROTOCOL_ERROR);
  }

  @Test
  void settings_areSentFirstAndAcknowledged() {
    RawFrames client = RawFrames.on(running.client(sluice));
    client.raw(RawFrames.PREFACE.getBytes(java.nio.charset.StandardCharsets.US_ASCII)).settings();

    RawFrames.Frame first = Objects.requireNonNull(client.next());

    assertThat(first.type()).isEqualTo(SETTINGS);
    assertThat(first.has(ACK)).isFalse();
    assertThat(client.await(SETTINGS).has(ACK)).isTrue();
  }

  @Test
  void ping_isAnsweredWithItsBytes() {
    RawFrames client = connect();

    client.frame(PING, 0, 0, "h2 ping!".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    RawFrames.Frame pong = client.await(PING);
    assertThat(pong.has(ACK)).isTrue();
    assertThat(new String(pong.payload(), java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("h2 ping!");
  }

  @Test
  void window_ofOneByte_isUsedByteByByte() {
    RawFrames client = connect(4, 1);

    client.get(1, "/?bytes=3");

    assertThat(client.await(DATA).payload()).hasSize(1);
    client.windowUpdate(1, 2);
    assertThat(client.await(DATA).payload()).hasSize(2);
  }

  @Test
  void window_raisedBySettings_isUsed() {
    RawFrames client = connect(4, 0);

    client.get(1, "/?bytes=3");
    assertThat(client.await(HEADERS).stream()).isEqualTo(1);
    client.settings(4, 1);

    assertThat(client.await(DATA).payload()).hasSize(1);
  }

  @Test
  void window_madeNegative_waitsUntilItIsPositive() {
    RawFrames client = connect(4, 3);
    client.get(1, "/?bytes=10");
    assertThat(client.await(DATA).payload()).hasSize(3);

    client.settings(4, 2);
    client.windowUpdate(1, 2);

    assertThat(client.await(DATA).payload()).hasSize(1);
  }

  @Test
  void data_beyondTheStreamsWindow_isAFlowControlError() {
    RawFrames client = connect();
    // It is at its render for longer than all of the data takes to come.
    client.request(1, "POST", "/?ms=9000", false);

    for (int i = 0; i < 5; i++) {
      client.data(1, false, bytes(16_384));
    }

    assertThat(client.awaitError()).isEqualTo(FLOW_CONTROL_ERROR);
  }
}
