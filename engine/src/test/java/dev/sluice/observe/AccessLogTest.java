package dev.sluice.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.outcome.Cause;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessLogTest {

  private static final long NOW = 1_764_483_472_005L;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  @Test
  void exchange_served_isOneLineWithEveryFact() throws Exception {
    JsonNode line = only(Timelines.served("shop", "/items/7", "token=s3cret&page=2", 1000));

    assertThat(line.get("time").asText()).isEqualTo("2025-11-30T06:17:52.005Z");
    assertThat(line.get("method").asText()).isEqualTo("GET");
    assertThat(line.get("path").asText()).isEqualTo("/items/7");
    assertThat(line.get("query").asText()).isEqualTo("token,page");
    assertThat(line.get("route").asText()).isEqualTo("shop");
    assertThat(line.get("class").asText()).isEqualTo("private_document");
    assertThat(line.get("route_class").asText()).isEqualTo("private_dynamic");
    assertThat(line.get("status").asInt()).isEqualTo(200);
    assertThat(line.get("bytes").asLong()).isEqualTo(1234);
    assertThat(line.get("cache").asText()).isEqualTo("bypass");
    assertThat(line.get("upstream").asText()).isEqualTo("127.0.0.1:3000");
    assertThat(line.get("client").asText()).isEqualTo("192.0.2.1");
    assertThat(line.get("scheme").asText()).isEqualTo("https");
    assertThat(line.get("permit_released").asText()).isEqualTo("body_end");
    assertThat(line.get("spool").asText()).isEqualTo("-");
    assertThat(line.get("shed").asBoolean()).isFalse();
    assertThat(line.get("queue_ms").asDouble()).isEqualTo(2);
    assertThat(line.get("origin_ms").asDouble()).isEqualTo(1000);
    assertThat(line.get("total_ms").asDouble()).isEqualTo(1003);
    assertThat(line.get("generation").asLong()).isEqualTo(7);
    assertThat(line.get("party").asText()).isEqualTo("sluice");
    assertThat(line.get("stage").asText()).isEqualTo("deliver");
    assertThat(line.get("cause").asText()).isEqualTo("complete");
  }

  @Test
  void exchange_shed_heldNoPermit() throws Exception {
    JsonNode line = only(Timelines.shed("shop", Cause.QUEUE_FULL));

    assertThat(line.get("shed").asBoolean()).isTrue();
    assertThat(line.get("permit_released").asText()).isEqualTo("-");
    assertThat(line.get("cache").asText()).isEqualTo("-");
    assertThat(line.get("origin_ms").asDouble()).isZero();
    assertThat(line.get("cause").asText()).isEqualTo("queue_full");
  }

  @Test
  void path_hostile_staysOnItsLine() throws Exception {
    String path = "/a\r\n{\"status\":200}\u0000\u001b[31m\"\\\u0085\u2028\ud800x\u00e9";

    JsonNode line = only(Timelines.served("shop", path, "", 1));

    assertThat(line.get("path").asText()).isEqualTo(path);
    assertThat(Files.readAllBytes(file()))
        .as("printable ASCII and the one line feed at the end")
        .satisfies(
            bytes -> {
              for (int i = 0; i < bytes.length - 1; i++) {
                assertThat(bytes[i]).isBetween((byte) 0x20, (byte) 0x7e);
              }
            });
  }

  @Test
  void path_long_isCut() throws Exception {
    JsonNode line = only(Timelines.served("shop", "/" + "a".repeat(10_000), "", 1));

    assertThat(line.get("path").asText()).hasSize(Timeline.MAX_TEXT);
  }

  @Test
  void lines_many_allParse() throws Exception {
    try (var log = new AccessLog(file().toString(), () -> NOW)) {
      for (int i = 0; i < 1000; i++) {
        log.log(Timelines.served("shop", "/" + "\u00e9".repeat(i), "", i));
      }
    }

    assertThat(lines(file())).hasSize(1000);
  }

  @Test
  void queue_full_dropsAndCounts() throws Exception {
    var stuck = new StuckStream();
    try (var log = new AccessLog(() -> stuck, "stuck", () -> NOW)) {
      log.log(Timelines.served("shop", "/", "", 1));
      stuck.awaitWriter();

      for (int i = 0; i < AccessLog.QUEUE + 100; i++) {
        log.log(Timelines.served("shop", "/", "", 1));
      }

      assertThat(log.dropped()).isEqualTo(100);
      stuck.release();
    }
    assertThat(parse(stuck.text())).hasSize(1 + AccessLog.QUEUE);
  }

  @Test
  void none_takesNothing() throws Exception {
    try (var log = new AccessLog("none", () -> NOW)) {
      log.log(Timelines.served("shop", "/", "", 1));
      log.reopen();

      assertThat(log.dropped()).isZero();
    }
  }

  @Test
  void file_unopenable_isAnError() {
    String missing = folder.resolve("no/such/folder/access.log").toString();

    assertThatThrownBy(() -> new AccessLog(missing, () -> NOW).close())
        .isInstanceOf(IOException.class);
  }

  @Test
  void rotation_movesOnToANewFile() throws Exception {
    var opened = new Openings();
    try (var log = new AccessLog(opened, "rotated", () -> NOW)) {
      log.log(Timelines.served("first", "/", "", 1));
      opened.all.get(0).awaitFlush();
      log.reopen();
      opened.second.await(10, TimeUnit.SECONDS);
      log.log(Timelines.served("second", "/", "", 1));
    }

    assertThat(parse(opened.all.get(0).text()).get(0).get("route").asText()).isEqualTo("first");
    assertThat(parse(opened.all.get(1).text()).get(0).get("route").asText()).isEqualTo("second");
    assertThat(opened.all).allMatch(stream -> stream.closed);
  }

  @Test
  void disk_full_countsAndGoesOn() throws Exception {
    var disk = new FullDisk();
    try (var log = new AccessLog(() -> disk, "full", () -> NOW)) {
      log.log(Timelines.served("lost", "/", "", 1));
      disk.failed.await(10, TimeUnit.SECONDS);
      log.log(Timelines.served("kept", "/", "", 1));
    }

    List<String> text = disk.text().lines().toList();
    assertThat(text).hasSize(2);
    assertThat(text.get(0)).as("what the disk took of the lost line").isEqualTo("{\"tim");
    assertThat(JSON.readTree(text.get(1)).get("route").asText()).isEqualTo("kept");
  }

  @Test
  void disk_full_losesAreCounted() throws Exception {
    var disk = new FullDisk();
    var log = new AccessLog(() -> disk, "full", () -> NOW);

    log.log(Timelines.served("lost", "/", "", 1));
    disk.failed.await(10, TimeUnit.SECONDS);
    log.close();

    assertThat(log.dropped()).isEqualTo(1);
  }

  @Test
  void close_laterLines_areCountedAsDropped() throws Exception {
    var log = new AccessLog(file().toString(), () -> NOW);
    log.close();

    log.log(Timelines.served("late", "/", "", 1));

    assertThat(log.dropped()).isEqualTo(1);
  }

  private JsonNode only(Timeline exchange) throws Exception {
    try (var log = new AccessLog(file().toString(), () -> NOW)) {
      log.log(exchange);
    }
    List<JsonNode> lines = lines(file());
    assertThat(lines).hasSize(1);
    assertThat(Files.readString(file())).endsWith("}\n").doesNotContain("s3cret");
    return lines.get(0);
  }

  private Path file() {
    return folder.resolve("access.log");
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  private static List<JsonNode> parse(String text) throws IOException {
    var nodes = new ArrayList<JsonNode>();
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty()) {
        nodes.add(JSON.readTree(line));
      }
    }
    return nodes;
  }

  /** What was written, kept. */
  private static class KeptStream extends OutputStream {

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final CountDownLatch flushed = new CountDownLatch(1);
    volatile boolean closed;

    @Override
    public synchronized void write(int value) throws IOException {
      kept.write(value);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
      kept.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      flushed.countDown();
    }

    @Override
    public void close() {
      closed = true;
    }

    void awaitFlush() throws InterruptedException {
      assertThat(flushed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    synchronized String text() {
      return kept.toString(UTF_8);
    }
  }

  /** Holds its writer in the first flush. */
  private static final class StuckStream extends KeptStream {

    private final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void flush() throws IOException {
      super.flush();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    void awaitWriter() throws InterruptedException {
      awaitFlush();
    }

    void release() {
      open.countDown();
    }
  }

  /** Takes five bytes and fails, once. */
  private static final class FullDisk extends KeptStream {

    private final CountDownLatch failed = new CountDownLatch(1);

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
      if (failed.getCount() > 0) {
        super.write(bytes, offset, 5);
        failed.countDown();
        throw new IOException("No space left on device");
      }
      super.write(bytes, offset, length);
    }
  }

  /** Opens a new stream each time. */
  private static final class Openings implements AccessLog.Sink {

    private final List<KeptStream> all = new ArrayList<>();
    private final CountDownLatch second = new CountDownLatch(2);

    @Override
    public OutputStream open() {
      var stream = new KeptStream();
      all.add(stream);
      second.countDown();
      return stream;
    }
  }
}
