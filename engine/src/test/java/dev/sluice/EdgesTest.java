package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges of HTTP on a plain pass-through (PRX-10 to PRX-13, DEC-46, C04, C11, H02, H09). */
class EdgesTest {

  @RegisterExtension static final Running running = new Running();

  private static final String PART =
      "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/5000\r\nETag: \"v1\"\r\n"
          + "Content-Length: 10\r\n\r\n0123456789";

  // Ranges and conditionals.

  /** PRX-10: what was asked arrives, and what came is passed on; so does an odd specifier. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Range: bytes=0-9",
        "Range: bytes=0-9\r\nIf-Range: \"v1\"",
        "Range: bytes=0-9\r\nIf-Range: W/\"v1\"",
        "Range: bytes=-10",
        "Range: bytes=0--1",
        "Range: items=0-1"
      })
  void prx10_range_passesThrough(String fields) {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> PART));
    RawClient client = running.clientBefore(origin.port());
    RawResponse got =
        client.send("GET /v.mp4 HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n").readAll();
    assertThat(got.status()).isEqualTo(206);
    assertThat(got.header("Content-Range")).isEqualTo("bytes 0-9/5000");
    assertThat(got.header("ETag")).isEqualTo("\"v1\"");
    assertThat(got.text()).isEqualTo("0123456789");
    assertThat(origin.request(0).head()).contains(fields);
  }

  @Test
  void prx10_severalRanges_passByteForByte() {
    String parts = "--b\r\nContent-Range: bytes 0-0/9\r\n\r\na\r\n--b--\r\n";
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    HeldOrigin.answer(
                        "206 Partial Content",
                        "Content-Type: multipart/byteranges; boundary=b",
                        parts)));
    RawClient client = running.clientBefore(origin.port());
    client.send("GET /x HTTP/1.1\r\nHost: a\r\nRange: bytes=0-0,5-5\r\n\r\n");
    assertThat(client.readAll().text()).isEqualTo(parts);
    assertThat(origin.request(0).field("Range")).isEqualTo("bytes=0-0,5-5");
  }

  @Test
  void prx10_unsatisfiable_isTheOriginsToSay() {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    HeldOrigin.answer(
                        "416 Range Not Satisfiable", "Content-Range: bytes */5000", "")));
    RawClient client = running.clientBefore(origin.port());
    client.send("GET /x HTTP/1.1\r\nHost: a\r\nRange: bytes=9000-\r\n\r\n");
    RawResponse got = client.readAll();
    assertThat(got.status()).isEqualTo(416);
    assertThat(got.header("Content-Range")).isEqualTo("bytes */5000");
  }

  /** PRX-11: on a route that shares nothing the origin judges, and its 304 is relayed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "If-None-Match     | \"v1\"",
        "If-None-Match     | *",
        "If-Modified-Since | Sun, 06 Nov 1994 08:49:37 GMT"
      })
  void prx11_conditional_isTheOriginsToJudge(String name, String value) {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(
                asked ->
                    "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nContent-Length: 5000\r\n"
                        + "Vary: Accept\r\n\r\n"));
    RawClient client = running.clientBefore(origin.port());
    for (int i = 0; i < 2; i++) {
      client.send("GET /x HTTP/1.1\r\nHost: a\r\n" + name + ": " + value + "\r\n\r\n");
      RawResponse got = client.readAll();
      assertThat(got.status()).isEqualTo(304);
      assertThat(got.header("ETag")).isEqualTo("\"v1\"");
      assertThat(got.header("Vary")).isEqualTo("Accept");
      assertThat(origin.request(i).field(name)).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"If-Match: \"v0\"", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"})
  void prx11_failedPrecondition_isTheOriginsToSay(String field) {
    HeldOrigin origin =
        running.closing(
            HeldOrigin.start(asked -> HeldOrigin.answer("412 Precondition Failed", "", "no")));
    RawClient client = running.clientBefore(origin.port());
    client.send("PUT /x HTTP/1.1\r\nHost: a\r\n" + field + "\r\nContent-Length: 1\r\n\r\nx");
    assertThat(client.readAll().status()).isEqualTo(412);
    assertThat(origin.request(0).head()).contains(field);
  }

  // Bodies as they come.

  /** PRX-12: of an upload no more is held than the read-ahead; the rest is in the sockets. */
  @Test
  void prx12_upload_isStreamed() {
    var read = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .readBytes(10)
                .await(read)
                .readBytes(500_000)
                .answer("ok"));
    Sluice proxy = running.proxy(origin.port());
    RawClient client = running.client(proxy);
    client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 500010\r\n\r\n");
    // The origin has the first bytes long before the client has sent the last.
    client.send("first ten!" + "z".repeat(100_000));
    origin.connection(0).awaitReceived("first ten!");
    assertThat(proxy.status().memory().requestBytesHeld()).isLessThanOrEqualTo(64 << 10);
    read.countDown();
    client.send("z".repeat(400_000));
    assertThat(client.readAll().text()).isEqualTo("ok");
  }

  /** PRX-13: the first chunk is there before the origin has made the last. */
  @Test
  void prx13_response_isStreamed() {
    var more = new CountDownLatch(1);
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
                .await(more)
                .write("4\r\nlast\r\n0\r\n\r\n"));
    RawClient client = running.clientBefore(origin.port()).get("/x");
    client.readHead();
    assertThat(client.readBody(10)).asString().isEqualTo("5\r\nfirst\r\n");
    more.countDown();
    assertThat(client.readBody(9)).asString().isEqualTo("4\r\nlast\r\n");
  }

  /** C11: what is compressed passes untouched, with its validators, whatever was asked. */
  @Test
  void c11_compressed_passesUntouched() throws IOException {
    var squeezed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(squeezed)) {
      gzip.write("hello ".repeat(1000).getBytes(StandardCharsets.US_ASCII));
    }
    byte[] body = squeezed.toByteArray();
    String head =
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nETag: \"strong\"\r\nVary: Accept-Encoding\r\n"
            + "Cache-Control: no-transform\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    TrickOrigin origin =
        running.trickOrigin(TrickScript.begin().readHead().write(head).write(body));
    RawClient client = running.clientBefore(origin.port());
    client.send("GET /x HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br;q=0.5, gzip\r\n\r\n");
    RawResponse got = client.readAll();
    assertThat(got.body()).isEqualTo(body);
    assertThat(got.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(got.header("ETag")).isEqualTo("\"strong\"");
    assertThat(got.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(origin.connection(0).receivedText()).contains("Accept-Encoding: br;q=0.5, gzip\r\n");
  }

  /** What is not asked to be compressed is not, and what is not compressed stays so. */
  @Test
  void c11_plain_staysPlain() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());
    client.send("GET /x?bytes=50000 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
    RawResponse got = client.readAll();
    assertThat(got.body()).hasSize(50_000);
    assertThat(got.header("Content-Encoding")).isEmpty();
  }

  // Interims and trailers.

  /** H02: 103 as often as it comes, then the answer; HTTP/1.0 clients know no interims. */
  @Test
  void h02_earlyHints_areForwarded() {
    String hints =
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n"
            + "HTTP/1.1 103 Early Hints\r\nLink: </b.js>; rel=preload\r\n\r\n";
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write(hints)
                .answer("done")
                .readHead()
                .write(hints)
                .answer("done"));
    Sluice proxy = running.proxy(origin.port());
    RawClient client = running.client(proxy).get("/x");
    assertThat(client.readHead()).startsWith("HTTP/1.1 103").contains("Link: </a.css>");
    assertThat(client.readHead()).startsWith("HTTP/1.1 103").contains("Link: </b.js>");
    assertThat(client.readAll().text()).isEqualTo("done");

    RawClient old = running.client(proxy).send("GET /y HTTP/1.0\r\nHost: a\r\n\r\n");
    assertThat(old.readHead()).contains(" 200 OK");
  }

  @Test
  void trailers_passBothWays() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .readBytes("3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n".length())
                .write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Took\r\n\r\n"
                        + "2\r\nok\r\n0\r\nX-Took: 5\r\nContent-Length: 9\r\n\r\n"));
    RawClient client = running.clientBefore(origin.port());
    client.send(
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
            + "3\r\nabc\r\n0\r\nX-Sum: 7\r\nHost: evil\r\n\r\n");
    RawResponse got = client.readAll();
    assertThat(got.text()).isEqualTo("ok");
    assertThat(got.trailers()).contains("X-Took: 5").doesNotContain("Content-Length");
    assertThat(origin.connection(0).receivedText()).contains("X-Sum: 7").doesNotContain("evil");
  }

  // Sizes.

  /** PRX, H11: a head over the limit is 431, a target 414, and the origin never hears. */
  @Test
  void hugeRequestHead_is431() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), ProxyFile.plain().server("max_header: 8KiB"));
    RawClient big = running.client(proxy);
    big.send("GET /x HTTP/1.1\r\nHost: a\r\nCookie: " + "c".repeat(9_000) + "\r\n\r\n");
    assertThat(big.readAll().status()).isEqualTo(431);
    var many = new StringBuilder("GET /x HTTP/1.1\r\nHost: a\r\n");
    for (int i = 0; i < 4_000; i++) {
      many.append("a: b\r\n");
    }
    assertThat(running.client(proxy).send(many + "\r\n").readAll().status()).isEqualTo(431);
    assertThat(origin.stats().requests()).isZero();
  }

  /** H09: the limit is the origin's too, and the log and Proxy-Status say which it was. */
  @Test
  void h09_hugeResponseHead_is502WithAReason(@TempDir Path directory) throws IOException {
    Path log = directory.resolve("access.log");
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy =
        running.proxy(
            origin.port(),
            ProxyFile.plain().server("debug_headers: true").accessLog(log.toString()));
    RawClient client = running.client(proxy).get("/x?fail=big-head");
    RawResponse got = client.readAll();
    assertThat(got.status()).isEqualTo(502);
    assertThat(got.header("Proxy-Status"))
        .contains("http_response_header_section_size")
        .contains("origin_header_too_large");
    Running.await("line", () -> text(log).contains("\"cause\":\"origin_header_too_large\""));
    assertThat(running.client(proxy).get("/x?bytes=5").readAll().status()).isEqualTo(200);
    assertThat(origin.stats().connectionsTotal()).isEqualTo(2);
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  // Forms of the target, and methods.

  /** DEC-46: a question to the proxy is answered by it, also in the absolute form. */
  @Test
  void dec46_asteriskForm_isAnsweredHere() {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());
    client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
    RawResponse got = client.readAll();
    assertThat(got.status()).isEqualTo(204);
    assertThat(got.header("Allow")).contains("GET");
    assertThat(origin.stats().connectionsTotal()).isZero();
  }

  /** RFC 9112 3.2.4: OPTIONS of an authority without a path means the server, not a resource. */
  @Test
  void dec46_optionsOfAResource_isTheOrigins() {
    HeldOrigin origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("Allow: GET", "")));
    RawClient client = running.clientBefore(origin.port());
    client.send("OPTIONS /x HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.readAll().header("Allow")).isEqualTo("GET");
    assertThat(origin.request(0).method()).isEqualTo("OPTIONS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT a:443", "TRACE /x"})
  void dec46_connectAndTrace_are405(String line) {
    SlowOrigin origin = running.slowOrigin();
    RawClient client = running.clientBefore(origin.port());
    RawResponse got = client.send(line + " HTTP/1.1\r\nHost: a\r\n\r\n").readAll();
    assertThat(got.status()).isEqualTo(405);
    assertThat(got.header("Allow")).contains("GET").doesNotContain("TRACE");
    assertThat(origin.stats().connectionsTotal()).isZero();
  }

  /** DEC-46: an unknown method is unsafe, private and takes a permit; HEAD takes one, too. */
  @Test
  void dec46_unknownMethodAndHead_takeAPermit() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port());
    RawClient client = running.client(proxy);
    client.send("BREW /x?bytes=3 HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.readAll().status()).isEqualTo(200);
    client.send("HEAD /x?bytes=3 HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.readHead()).contains("200 OK");
    assertThat(Running.granted(proxy, "render")).isEqualTo(2);
  }
}
