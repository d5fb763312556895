package dev.sluice;

import static dev.sluice.Http2Wire.connect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field cases of HTTP/2 that are not frames alone: F01 (its header bomb), F02 (uploads) and F05.
 * Its floods are in {@link Http2FloodTest}, F04 is in {@link Http2MessagesTest}.
 */
class Http2FieldCasesTest {

  private static final int WINDOW = 65_535;
  private static final int FRAME = 16_384;

  @RegisterExtension static final Running running = new Running();

  @TempDir Path folder;

  /** F01: nine kilobytes that mean twenty megabytes. */
  @Test
  void f01_oneTableEntryNamedFiveThousandTimes_isA431() {
    SlowOrigin origin = running.slowOrigin();
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = connect(running, sluice);
    var block = new ByteArrayOutputStream();
    // GET, http, /, an authority; then x-a with 4,000 bytes into the table, and that entry again.
    block.writeBytes(HexFormat.of().parseHex("8286840101" + "61"));
    block.writeBytes(HexFormat.of().parseHex("4003782d61" + "7fa11e"));
    block.writeBytes("a".repeat(4_000).getBytes(StandardCharsets.US_ASCII));
    byte[] again = new byte[5_000];
    Arrays.fill(again, (byte) 0xbe);
    block.writeBytes(again);

    client.frame(
        RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, block.toByteArray());

    assertThat(client.answer(1).status()).isEqualTo(431);
    assertThat(origin.stats().requests()).isZero();
    assertThat(connect(running, sluice).get(1, "/x?bytes=9").answer(1).body()).hasSize(9);
  }

  /** F02: an upload that waits for its permit takes no credit from one that has its own. */
  @Test
  void f02_uploadThatStands_doesNotStallItsSibling() {
    var rendered = new CountDownLatch(1);
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked -> {
                  if (asked.target().equals("/busy")) {
                    Running.await("the render's end", () -> rendered.getCount() == 0);
                  }
                  return HeldOrigin.ok("", asked.field("Content-Length"));
                }));
    Sluice sluice =
        running.proxy(
            origin.port(),
            Http2Wire.h2c()
                .origin("concurrency: { max: 1, queue: { max: 9, timeout: 9s, predict: false } }")
                .block(
                    "routes: [ { id: up, match: \"/up/**\", class: streaming },"
                        + " { id: all, match: \"/**\", class: private_dynamic } ]"));
    RawFrames client = connect(running, sluice);
    client.get(1, "/busy");
    origin.awaitRequests(1);
    client.request(3, "POST", "/waits", false, "content-length", "" + WINDOW);
    for (int sent = 0; sent < WINDOW; sent += FRAME) {
      int length = Math.min(FRAME, WINDOW - sent);
      client.data(3, sent + length == WINDOW, new byte[length]);
    }
    Running.awaitWaiting(sluice, 1);

    upload(client, 5, 400_000);

    assertThat(client.answer(5).text()).isEqualTo("400000");
    assertThat(origin.requests()).isEqualTo(2);
    rendered.countDown();
    assertThat(client.answer(3).text()).isEqualTo("" + WINDOW);
  }

  private static void upload(RawFrames client, int stream, int bytes) {
    client.request(stream, "POST", "/up/it", false, "content-length", "" + bytes);
    int sent = 0;
    int window = WINDOW;
    while (sent < bytes) {
      int length = Math.min(Math.min(window, FRAME), bytes - sent);
      if (length > 0) {
        sent += length;
        window -= length;
        client.data(stream, sent == bytes, new byte[length]);
      } else {
        RawFrames.Frame credit = client.await(RawFrames.WINDOW_UPDATE);
        window += credit.stream() == stream ? credit.number(0) : 0;
      }
    }
  }

  /** F05: one connection, two names: the one that is not served here is told so, and no more. */
  @Test
  void f05_streamForAnotherName_isServed_unlessItsHostIsNotServedHere() {
    TestCertificate certificate = TestCertificate.of("localhost");
    certificate.writeTo(folder);
    ProxyFile file =
        ProxyFile.plain()
            .server(
                "tls: { listen: \"127.0.0.1:0\", cert: \"%s\", key: \"%s\" }"
                    .formatted(folder.resolve("cert.pem"), folder.resolve("key.pem")));
    SlowOrigin origin = running.slowOrigin();
    for (boolean named : new boolean[] {false, true}) {
      ProxyFile served = named ? file.server("hosts: [localhost]") : file;
      RawFrames client =
          RawFrames.open(
              running
                  .closing(
                      SecureClient.connect(
                          running.proxy(origin.port(), served).tlsPort(),
                          TestCertificate.clientContext(certificate),
                          List.of("h2"),
                          "TLSv1.3"))
                  .http());

      assertThat(ask(client, 1, "other.test")).isEqualTo(named ? 421 : 200);
      assertThat(ask(client, 3, "localhost")).isEqualTo(200);
    }
    assertThat(origin.stats().requests()).isEqualTo(3);
  }

  private static int ask(RawFrames client, int stream, String authority) {
    client.headers(
        stream,
        true,
        ":method",
        "GET",
        ":scheme",
        "https",
        ":path",
        "/x?bytes=1",
        ":authority",
        authority);
    return client.answer(stream).status();
  }
}
