package dev.sluice;

import static dev.sluice.Http2Wire.CANCEL;
import static dev.sluice.Http2Wire.NO_ERROR;
import static dev.sluice.fixture.RawFrames.DATA;
import static dev.sluice.fixture.RawFrames.GOAWAY;
import static dev.sluice.fixture.RawFrames.RST_STREAM;
import static dev.sluice.fixture.RawFrames.WINDOW_UPDATE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * PRX-03 to PRX-05: requests over HTTP/2, end to end, in the same exchanges as those of HTTP/1.1.
 */
class Http2ProxyTest {

  @RegisterExtension static final Running running = new Running();

  private static RawFrames connect(Sluice sluice, int... settings) {
    return Http2Wire.connect(running, sluice, settings);
  }

  // The listener.

  @Test
  void prx05_http11_isUnaffectedWhereH2cIsOn() {
    SlowOrigin origin = running.slowOrigin();
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawClient client = running.client(sluice);

    assertThat(client.get("/x?bytes=5").readAll().body()).isEqualTo(Bodies.expected("/x", 5));
    client.send("P").send("OST /up?upload=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nzz");
    assertThat(client.readAll().status()).isEqualTo(200);
  }

  @Test
  void prx05_methodThatBeginsLikeThePreface_isHttp11() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.client(running.proxy(origin.port(), Http2Wire.h2c()));

    for (char c : "PRI /x?bytes=5 HTTP/1.1\r\nHost: a\r\n\r\n".toCharArray()) {
      client.send(String.valueOf(c));
    }

    assertThat(client.readAll().status()).isEqualTo(200);
  }

  @Test
  void prx04_preface_byteByByte_isTaken() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.client(running.proxy(origin.port(), Http2Wire.h2c()));

    for (char c : RawFrames.PREFACE.toCharArray()) {
      client.send(String.valueOf(c));
    }

    RawFrames frames = RawFrames.on(client).settings();
    assertThat(frames.get(1, "/x?bytes=5").answer(1).body()).isEqualTo(Bodies.expected("/x", 5));
  }

  @Test
  void prx04_h2cOff_prefaceIsRefusedAsHttp11() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());

    client.send(RawFrames.PREFACE);

    assertThat(client.readHead()).startsWith("HTTP/1.1 505 ").contains("\r\nConnection: close\r\n");
    assertThat(client.readUntilClose()).isNotNull();
  }

  @Test
  void prx04_prefaceThatDoesNotEnd_isClosedInTime() {
    SlowOrigin origin = running.slowOrigin();
    ProxyFile file = Http2Wire.h2c().block("timeouts: { client_header: 200ms }");
    RawClient client = running.client(running.proxy(origin.port(), file));

    client.send("PRI * HTTP/2.0\r\n");

    assertThat(client.readUntilClose()).isEmpty();
  }

  // Answers.

  @Test
  void get_isAnsweredWithLowerCaseFieldsAndNoneOfTheConnection() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));

    RawFrames.Answer answer =
        client.get(1, "/x?bytes=1234&h=X-Thing:%20a&framing=chunked").answer(1);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(Bodies.expected("/x", 1234));
    assertThat(answer.head())
        .containsKey("date")
        .doesNotContainKeys("connection", "transfer-encoding");
    assertThat(answer.head().keySet())
        .allMatch(name -> name.equals(name.toLowerCase(java.util.Locale.ROOT)));
  }

  @Test
  void head_keepsTheLengthAndEndsWithItsHead() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));

    client.request(1, "HEAD", "/x?bytes=1234", true);

    RawFrames.Frame head = client.await(RawFrames.HEADERS);
    assertThat(head.has(RawFrames.END_STREAM)).isTrue();
    assertThat(client.section()).containsEntry("content-length", "1234");
    for (String status : new String[] {"204", "304"}) {
      int stream = status.equals("204") ? 3 : 5;
      RawFrames.Answer answer = client.get(stream, "/y?status=" + status).answer(stream);
      assertThat(answer.status()).isEqualTo(Integer.parseInt(status));
      assertThat(answer.body()).isEmpty();
    }
  }

  @Test
  void bigBody_arrivesWhole_asTheClientCreditsIt() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));
    client.get(1, "/big?bytes=3000000");
    int got = 0;
    boolean ended = false;

    while (!ended) {
      RawFrames.Frame frame = Objects.requireNonNull(client.next());
      if (frame.type() == DATA) {
        got += frame.payload().length;
        ended = frame.has(RawFrames.END_STREAM);
        if (!ended) {
          client.windowUpdate(0, frame.payload().length).windowUpdate(1, frame.payload().length);
        }
      }
    }

    assertThat(got).isEqualTo(3_000_000);
  }

  @Test
  void trailers_passBothWays_and103IsForwarded() {
    String answer =
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
            + "2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n";
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().readBytes(22).write(answer));
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));

    client.request(1, "POST", "/", false).data(1, false, "abc".getBytes(US_ASCII));
    client.headers(1, true, "x-up", "1", "content-length", "99");

    RawFrames.Answer got = client.answer(1);
    assertThat(got.interims()).isEqualTo(1);
    assertThat(got.text()).isEqualTo("ok");
    assertThat(got.trailers()).isEqualTo(Map.of("x-sum", "7"));
    assertThat(origin.connection(0).receivedText())
        .contains("Transfer-Encoding: chunked")
        .endsWith("\r\n\r\n3\r\nabc\r\n0\r\nx-up: 1\r\n\r\n");
  }

  @Test
  void expectContinue_isForwardedBeforeTheBody() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));
    client.request(1, "POST", "/up?upload=1", false, "expect", "100-continue");

    client.await(RawFrames.HEADERS);
    assertThat(client.section()).containsEntry(":status", "100");
    client.data(1, true, new byte[100]);

    assertThat(client.answer(1).text()).contains("100");
  }

  // Uploads.

  @Test
  void upload_arrivesWhole_asItIsCredited() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));
    client.request(1, "POST", "/up?upload=1", false, "content-length", "1000000");

    int sent = 0;
    int window = 65_535;
    while (sent < 1_000_000) {
      int length = Math.min(Math.min(window, 16_384), 1_000_000 - sent);
      if (length > 0) {
        sent += length;
        window -= length;
        client.data(1, sent == 1_000_000, new byte[length]);
      } else {
        RawFrames.Frame credit = client.await(WINDOW_UPDATE);
        window += credit.stream() == 1 ? credit.number(0) : 0;
      }
    }

    assertThat(client.answer(1).text()).contains("1000000");
  }

  /** DEC-32: no credit before the grant beyond the initial window. */
  @Test
  void dec32_uploadThatWaits_getsNoCreditBeforeItsGrant() {
    HeldOrigin origin =
        running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "fine")).hold());
    ProxyFile file =
        Http2Wire.h2c()
            .origin("concurrency: { max: 1, queue: { max: 10, timeout: 8s, predict: false } }");
    Sluice sluice = running.proxy(origin.port(), file);
    RawFrames client = connect(sluice);
    client.get(1, "/hold");
    origin.awaitRequests(1);
    client.request(3, "POST", "/up", false, "content-length", "100000");
    for (int i = 0; i < 4; i++) {
      client.data(3, false, new byte[16_384]);
    }
    Running.awaitWaiting(sluice, 1);

    client.ping(5);
    RawFrames.Frame frame = Objects.requireNonNull(client.next());
    while (frame.type() != RawFrames.PING) {
      assertThat(frame.type() == WINDOW_UPDATE && frame.stream() == 3).isFalse();
      frame = Objects.requireNonNull(client.next());
    }
    assertThat(origin.requests()).isEqualTo(1);

    origin.release();
    RawFrames.Frame credit = client.await(WINDOW_UPDATE);
    while (credit.stream() != 3) {
      credit = client.await(WINDOW_UPDATE);
    }
    for (int left = 100_000 - 4 * 16_384; left > 0; left -= 16_384) {
      client.data(3, left <= 16_384, new byte[Math.min(left, 16_384)]);
    }
    assertThat(client.answer(3).text()).isEqualTo("fine");
  }

  /** H04: an answer before the request's end, then a reset that is no error. */
  @Test
  void h04_earlyAnswer_isFollowedByAResetWithNoError() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig"));
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));
    client.request(1, "POST", "/", false, "expect", "100-continue");

    assertThat(client.answer(1).status()).isEqualTo(413);

    RawFrames.Frame reset = client.await(RST_STREAM);
    assertThat(reset.code()).isEqualTo(NO_ERROR);
    assertThat(client.data(1, false, new byte[10]).isAlive()).isTrue();
  }

  // Reuse.

  @Test
  void storedAnswer_isServedToEitherProtocol() {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    HeldOrigin.ok("Cache-Control: max-age=60 | Content-Type: text/html", "page")));
    Sluice sluice = running.proxy(origin.port(), Visitors.shop().server("h2c: true"));
    RawFrames client = connect(sluice);

    assertThat(client.get(1, "/p").answer(1).text()).isEqualTo("page");
    RawFrames.Answer hit = client.get(3, "/p").answer(3);

    assertThat(hit.text()).isEqualTo("page");
    assertThat(hit.head()).containsEntry("x-sluice", "HIT").containsKeys("age", "date");
    assertThat(new Visitors(running, sluice).get("/p", "Host: a.example").text()).isEqualTo("page");
    client.request(5, "HEAD", "/p", true);
    assertThat(client.answer(5).head()).containsEntry("content-length", "4");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void flight_isSharedByBothProtocols() {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                    asked ->
                        HeldOrigin.ok(
                            "Cache-Control: max-age=60 | Content-Type: text/html", "page"))
                .hold());
    Sluice sluice = running.proxy(origin.port(), Visitors.shop().server("h2c: true"));
    var visitors = new Visitors(running, sluice);
    RawFrames client = connect(sluice);
    for (int stream = 1; stream < 20; stream += 2) {
      client.get(stream, "/p");
    }
    RawClient other = visitors.ask("GET", "/p");
    visitors.awaitUnderWay(11);

    origin.release();

    for (int stream = 1; stream < 20; stream += 2) {
      assertThat(client.answer(stream).text()).isEqualTo("page");
    }
    assertThat(other.readAll().text()).isEqualTo("page");
    assertThat(origin.requests()).isEqualTo(1);
  }

  // Slow ones.

  /** A stream whose client does not credit it stalls its origin, and no sibling. */
  @Test
  void slowStream_stallsItsOriginAndNoSibling() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()), 4, 1_000);
    client.windowUpdate(0, 1 << 30).get(1, "/big?bytes=30000000");
    assertThat(client.await(DATA).payload()).hasSize(1_000);

    for (int stream = 3; stream < 43; stream += 2) {
      assertThat(client.get(stream, "/x?bytes=900").answer(stream).body()).hasSize(900);
    }

    Running.await("only the slow one", () -> origin.stats().inFlight() == 1);
    assertThat(origin.stats().bytesWritten()).isLessThan(20_000_000);
  }

  @Test
  void downstreamWrite_streamThatIsNotCredited_isResetAndSiblingsGoOn() {
    SlowOrigin origin = running.slowOrigin();
    var ticker = new MovedTicker();
    ProxyFile file = Http2Wire.h2c().block("timeouts: { downstream_write: 1s }");
    RawFrames client = connect(running.proxy(origin.port(), file, ticker), 4, 100);
    client.get(1, "/big?bytes=3000000");
    client.await(DATA);

    ticker.advance(java.time.Duration.ofSeconds(2));

    RawFrames.Frame reset = client.await(RST_STREAM);
    assertThat(reset.stream()).isEqualTo(1);
    assertThat(reset.code()).isEqualTo(CANCEL);
    assertThat(client.get(3, "/x?bytes=9").answer(3).body()).hasSize(9);
  }

  @Test
  void clientBody_standsStill_is408OnItsStream() {
    SlowOrigin origin = running.slowOrigin();
    ProxyFile file = Http2Wire.h2c().block("timeouts: { client_body: 200ms }");
    RawFrames client = connect(running.proxy(origin.port(), file));

    client
        .request(1, "POST", "/up?upload=1", false, "content-length", "10")
        .data(1, false, new byte[3]);

    assertThat(client.answer(1).status()).isEqualTo(408);
    assertThat(client.await(RST_STREAM).code()).isEqualTo(NO_ERROR);
    assertThat(client.get(3, "/x?bytes=9").answer(3).body()).hasSize(9);
    assertThat(origin.stats().requestsUnder("/up")).isZero();
  }

  @Test
  void clientHeader_blockThatDoesNotEnd_goesAway() {
    SlowOrigin origin = running.slowOrigin();
    ProxyFile file = Http2Wire.h2c().block("timeouts: { client_header: 200ms }");
    RawFrames client = connect(running.proxy(origin.port(), file));

    client.frame(RawFrames.HEADERS, 0, 1, client.block(":method", "GET"));

    assertThat(client.await(GOAWAY).code()).isEqualTo(NO_ERROR);
  }

  @Test
  void clientIdle_goesAway() {
    SlowOrigin origin = running.slowOrigin();
    ProxyFile file = Http2Wire.h2c().block("timeouts: { client_idle: 200ms }");
    RawFrames client = connect(running.proxy(origin.port(), file));
    assertThat(client.get(1, "/x?bytes=9").answer(1).body()).hasSize(9);

    RawFrames.Frame frame = client.await(GOAWAY);

    assertThat(frame.code()).isEqualTo(NO_ERROR);
    assertThat(frame.number(0)).isEqualTo(1);
    assertThat(client.next()).isNull();
  }

  // The origin's end.

  @Test
  void cutShort_isAReset() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour")
                .close());
    RawFrames client = connect(running.proxy(origin.port(), Http2Wire.h2c()));

    client.get(1, "/");

    assertThat(new String(client.await(DATA).payload(), ISO_8859_1)).isEqualTo("four");
    assertThat(client.await(RST_STREAM).code()).isEqualTo(2);
    assertThat(client.isAlive()).isTrue();
  }

  // Stopping.

  @Test
  void drain_isToldInTwoPhases_andWhatIsUnderWayIsServed() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .await(release)
                .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    Sluice sluice = running.proxy(origin.port(), Http2Wire.h2c());
    RawFrames client = connect(sluice);
    client.get(1, "/");
    Running.awaitInFlight(sluice, 1);

    var stopping = new Thread(() -> sluice.stop(java.time.Duration.ofSeconds(10)));
    stopping.start();

    assertThat(client.await(GOAWAY).number(0)).isEqualTo(Integer.MAX_VALUE);
    RawFrames.Frame ping = client.await(RawFrames.PING);
    client.frame(RawFrames.PING, RawFrames.ACK, 0, ping.payload());
    assertThat(client.await(GOAWAY).number(0)).isEqualTo(1);
    client.get(3, "/late");
    release.countDown();
    assertThat(client.answer(1).text()).isEqualTo("ok");
    assertThat(client.next()).isNull();
    stopping.join();
    assertThat(origin.connections()).isEqualTo(1);
  }
}
