package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One access line per exchange, and it says how the exchange ended. */
class AccessRowsTest {

  @RegisterExtension static final Running running = new Running();
  @TempDir Path folder;

  @Test
  void served_isComplete() throws IOException {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), logging());

    running.client(proxy).get("/x?bytes=7").readAll();

    assertThat(rows(proxy)).containsExactly("GET /x 200 7 sluice/deliver/complete");
  }

  @Test
  void refused_saysWhy() throws IOException {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(origin.port(), logging().block("timeouts: { client_header: 100ms }"));

    int malformed = bodyOf(running.client(proxy).send("GET / HTTP/1.1\r\nX : y\r\n\r\n"));
    int bareCr = bodyOf(running.client(proxy).send("GET / HTTP/1.1\rXHost: a\r\n\r\n"));
    int late = bodyOf(running.client(proxy).send("GET / HT"));
    int method = bodyOf(running.client(proxy).send("TRACE /t HTTP/1.1\r\nHost: a\r\n\r\n"));

    assertThat(rows(proxy))
        .containsExactly(
            "400 " + malformed + " client/accept/bad_request",
            "400 " + bareCr + " client/accept/bad_request",
            "408 " + late + " client/accept/client_header_timeout",
            "TRACE /t 405 " + method + " client/classify/method_not_allowed");
  }

  /** A request whose body breaks off is an exchange, with the status that its client got. */
  @Test
  void brokenUploads_haveTheStatusThatWasSent() throws IOException {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(origin.port(), logging().block("timeouts: { client_body: 100ms }"));
    String head = "POST /up HTTP/1.1\r\nHost: a\r\n";

    int malformed =
        bodyOf(running.client(proxy).send(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"));
    int late = bodyOf(running.client(proxy).send(head + "Content-Length: 9\r\n\r\nabc"));

    assertThat(rows(proxy))
        .containsExactly(
            "POST /up 400 " + malformed + " client/admit/client_body_aborted",
            "POST /up 408 " + late + " client/admit/client_body_timeout");
  }

  @Test
  void shed_isSaidSo() throws IOException {
    var release = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().await(release).answer("held"));
    Sluice proxy =
        running.proxy(
            origin.port(),
            logging()
                .origin(
                    "concurrency: { max: 1, queue: { max: 1, timeout: 100ms, predict: false } }"));
    RawClient holder = running.client(proxy).get("/hold");
    Running.awaitInFlight(proxy, 1);
    RawClient shed = running.client(proxy).get("/shed");
    int shedBytes = bodyOf(shed);
    release.countDown();
    holder.readAll();

    assertThat(rows(proxy))
        .satisfiesExactly(
            row ->
                assertThat(row)
                    .startsWith("GET /shed 503 " + shedBytes + " ")
                    .endsWith("/queue_deadline"),
            row -> assertThat(row).isEqualTo("GET /hold 200 4 sluice/deliver/complete"));
  }

  @Test
  void clientGone_isItsDoingWhereverItLeft() throws IOException {
    var release = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().await(release).answer("held"));
    Sluice proxy =
        running.proxy(
            origin.port(),
            logging()
                .origin("concurrency: { max: 1, queue: { max: 5, timeout: 8s, predict: false } }"));
    RawClient asked = running.client(proxy).get("/asked");
    Running.awaitInFlight(proxy, 1);
    RawClient waiting = running.client(proxy).get("/waiting");
    Running.awaitWaiting(proxy, 1);

    waiting.reset();
    Running.awaitWaiting(proxy, 0);
    asked.reset();
    awaitRows(2);
    release.countDown();
    Running.awaitInFlight(proxy, 0);

    assertThat(rows(proxy))
        .containsExactly(
            "GET /waiting 0 0 client/admit/client_left", "GET /asked 0 0 client/fetch/client_left");
  }

  /** An answer that was cut keeps the status that went out, and the origin is named. */
  @Test
  void originsFailures_areTheOrigins() throws IOException {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), logging());

    running.client(proxy).get("/short?bytes=100&fail=short").readHead();
    awaitRows(1);
    running.client(proxy).get("/reset?fail=reset").readAll();
    running.client(proxy).get("/big?fail=big-head").readAll();

    assertThat(rows(proxy))
        .satisfiesExactly(
            row -> assertThat(row).startsWith("GET /short 200 ").endsWith("/origin_cut_short"),
            row -> assertThat(row).startsWith("GET /reset 502 ").endsWith("/connection_terminated"),
            row -> assertThat(row).startsWith("GET /big 502 ").endsWith("/origin_header_too_large"))
        .allSatisfy(row -> assertThat(row).contains(" origin/"));
  }

  /** Connections that carried no request are no exchanges. */
  @Test
  void idleConnections_areNoRows() throws IOException {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            logging().block("timeouts: { client_header: 100ms, client_idle: 100ms }"));

    running.client(proxy).readUntilClose();
    RawClient idle = running.client(proxy).get("/x?bytes=1");
    idle.readAll();
    idle.readUntilClose();

    assertThat(rows(proxy)).containsExactly("GET /x 200 1 sluice/deliver/complete");
  }

  /** How long a body the client read. */
  private static int bodyOf(RawClient client) {
    int length = client.readAll().body().length;
    assertThat(length).isPositive();
    return length;
  }

  private ProxyFile logging() {
    return ProxyFile.plain().accessLog(file().toString());
  }

  private Path file() {
    return folder.resolve("access.log");
  }

  private void awaitRows(int count) {
    Running.await(count + " rows", () -> lines().size() >= count);
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Each line in short: method, path, status, bytes, party/stage/cause; the proxy is closed. */
  private List<String> rows(Sluice proxy) throws IOException {
    proxy.close();
    var rows = new ArrayList<String>();
    for (String line : lines()) {
      JsonNode row = new ObjectMapper().readTree(line);
      rows.add(
          "%s %s %s %s %s/%s/%s"
              .formatted(
                  row.get("method").asText(),
                  row.get("path").asText(),
                  row.get("status").asInt(),
                  row.get("bytes").asLong(),
                  row.get("party").asText(),
                  row.get("stage").asText(),
                  row.get("cause").asText())
              .strip());
    }
    return rows;
  }
}
