package dev.sluice;

import static dev.sluice.Http2Wire.PROTOCOL_ERROR;
import static dev.sluice.Http2Wire.assertReset;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * PRX-04, F04: messages by RFC 9113 8, and that nothing that HTTP/2 carries becomes another request
 * at an origin of HTTP/1.1.
 */
class Http2MessagesTest {

  @RegisterExtension static final Running running = new Running();
  private HeldOrigin origin;
  private Sluice sluice;

  @BeforeEach
  void start() {
    origin = running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "fine")));
    sluice = running.proxy(origin.port(), Http2Wire.h2c());
  }

  private RawFrames connect() {
    return Http2Wire.connect(running, sluice);
  }

  private static final String[] PSEUDO = {
    ":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a.example"
  };

  private static String[] with(String... more) {
    var all = new ArrayList<>(List.of(PSEUDO));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static String[] replaced(String name, String value) {
    var all = new ArrayList<>(List.of(PSEUDO));
    int at = all.indexOf(name);
    all.set(at + 1, value);
    return all.toArray(String[]::new);
  }

  private static String[] without(String name) {
    var all = new ArrayList<>(List.of(PSEUDO));
    int at = all.indexOf(name);
    all.remove(at);
    all.remove(at);
    return all.toArray(String[]::new);
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        row("8.2 upper case name", with("X-A", "1")),
        row("8.2.1 empty name", with("", "1")),
        row("8.2.1 space in a name", with("x a", "1")),
        row("8.2.1 colon in a name", with("x:a", "1")),
        row("8.2.1 CR LF in a name", with("x\r\ny", "1")),
        row("8.2.1 NUL in a name", with("x\0", "1")),
        row("8.2.1 non-ASCII name", with("x\u00e9", "1")),
        row("8.2.1 CR LF in a value", with("x-a", "1\r\nx-b: 2")),
        row("8.2.1 LF in a value", with("x-a", "1\nx-b: 2")),
        row("8.2.1 CR in a value", with("x-a", "1\rx")),
        row("8.2.1 NUL in a value", with("x-a", "1\0")),
        row("8.2.1 control in a value", with("x-a", "1\u0001")),
        row("8.2.1 space before a value", with("x-a", " 1")),
        row("8.2.1 tab behind a value", with("x-a", "1\t")),
        row("8.2.2 connection", with("connection", "close")),
        row("8.2.2 keep-alive", with("keep-alive", "1")),
        row("8.2.2 proxy-connection", with("proxy-connection", "close")),
        row("8.2.2 transfer-encoding", with("transfer-encoding", "chunked")),
        row("8.2.2 upgrade", with("upgrade", "websocket")),
        row("8.2.2 te", with("te", "trailers, deflate")),
        row("8.3 unknown pseudo-header", with(":test", "1")),
        row("8.3 a response's pseudo-header", with(":status", "200")),
        row(
            "8.3 pseudo-header behind a field",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "/",
            "x-a",
            "1",
            ":authority",
            "a"),
        row("8.3.1 no :method", without(":method")),
        row("8.3.1 no :scheme", without(":scheme")),
        row("8.3.1 no :path", without(":path")),
        row("8.3.1 no authority at all", without(":authority")),
        row("8.3.1 two :method", with(":method", "GET")),
        row("8.3.1 two :scheme", with(":scheme", "http")),
        row("8.3.1 two :path", with(":path", "/")),
        row("8.3.1 two :authority", with(":authority", "a.example")),
        row("8.3.1 empty :path", replaced(":path", "")),
        row("8.3.1 :path without a slash", replaced(":path", "x")),
        row("8.3.1 absolute :path", replaced(":path", "http://b.example/")),
        row("8.3.1 asterisk with GET", replaced(":path", "*")),
        row("8.3.1 space in :path", replaced(":path", "/ HTTP/1.1")),
        row("8.3.1 CR LF in :path", replaced(":path", "/\r\nx: y")),
        row("8.3.1 non-ASCII :path", replaced(":path", "/\u00e9")),
        row("8.3.1 fragment in :path", replaced(":path", "/#a")),
        row("8.3.1 space in :method", replaced(":method", "GET / HTTP/1.1\r\nx:")),
        row("8.3.1 empty :method", replaced(":method", "")),
        row("8.3.1 empty :authority", replaced(":authority", "")),
        row("8.3.1 userinfo in :authority", replaced(":authority", "u@a.example")),
        row("8.3.1 slash in :authority", replaced(":authority", "a.example/b")),
        row("8.3.1 Host names another", with("host", "b.example")),
        row("8.3.1 two Host", with("host", "a.example", "host", "a.example")),
        row("8.5 CONNECT with a path", ":method", "CONNECT", ":path", "/", ":authority", "a:1"),
        row("8.5 CONNECT without an authority", ":method", "CONNECT"),
        row("8.1.1 content-length with END_STREAM", with("content-length", "1")),
        row("8.1.1 two content-length", with("content-length", "0", "content-length", "0")),
        row("8.1.1 signed content-length", with("content-length", "+0")),
        row("8.1.1 list of content-length", with("content-length", "0, 0")));
  }

  private static Arguments row(String name, String... fields) {
    return Arguments.of(name, fields);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void malformed(String name, String[] fields) {
    RawFrames client = connect();

    client.headers(1, true, fields);

    assertReset(client, 1, PROTOCOL_ERROR);
    assertThat(client.get(3, "/next").answer(3).text()).isEqualTo("fine");
    assertThat(origin.all()).hasSize(1);
  }

  static Stream<Arguments> malformedBodies() {
    return Stream.of(
        body(
            "8.1.1 shorter than content-length",
            c ->
                c.request(1, "POST", "/", false, "content-length", "5").data(1, true, new byte[4])),
        body(
            "8.1.1 longer than content-length",
            c ->
                c.request(1, "POST", "/", false, "content-length", "5").data(1, true, new byte[6])),
        body(
            "8.1.1 longer in several frames",
            c ->
                c.request(1, "POST", "/", false, "content-length", "5")
                    .data(1, false, new byte[3])
                    .data(1, true, new byte[3])),
        body(
            "8.1.1 DATA behind content-length 0",
            c ->
                c.request(1, "POST", "/", false, "content-length", "0").data(1, true, new byte[1])),
        body(
            "8.1 second HEADERS without END_STREAM",
            c -> c.request(1, "POST", "/", false).headers(1, false, "x-a", "1")),
        body(
            "8.1 pseudo-header in trailers",
            c -> c.request(1, "POST", "/", false).headers(1, true, ":method", "GET")),
        body(
            "8.1 connection in trailers",
            c -> c.request(1, "POST", "/", false).headers(1, true, "connection", "x")),
        body(
            "8.1 upper case in trailers",
            c -> c.request(1, "POST", "/", false).headers(1, true, "X-A", "1")),
        body(
            "8.1.1 trailers behind too few bytes",
            c ->
                c.request(1, "POST", "/", false, "content-length", "5")
                    .headers(1, true, "x", "1")));
  }

  private static Arguments body(String name, Consumer<RawFrames> sends) {
    return Arguments.of(name, sends);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void malformedBodies(String name, Consumer<RawFrames> sends) {
    RawFrames client = connect();
    // An answer that overtakes the body would end the stream without an error.
    origin.hold();

    sends.accept(client);

    assertReset(client, 1, PROTOCOL_ERROR);
    origin.release();
    assertThat(client.get(3, "/next").answer(3).text()).isEqualTo("fine");
  }

  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource({"CONNECT, '', 405", "TRACE, /, 405", "OPTIONS, *, 204"})
  void dec46_methods_areAnsweredHere(String method, String path, int status) {
    RawFrames client = connect();

    if (path.isEmpty()) {
      client.headers(1, true, ":method", method, ":authority", "a.example:443");
    } else {
      client.request(1, method, path, true);
    }

    assertThat(client.answer(1).status()).isEqualTo(status);
    assertThat(origin.requests()).isZero();
  }

  @Test
  void dec46_longTarget_is414AndTheConnectionGoesOn() {
    RawFrames client = connect();

    client.get(1, "/" + "a".repeat(9_000));

    assertThat(client.answer(1).status()).isEqualTo(414);
    assertThat(client.get(3, "/next").answer(3).text()).isEqualTo("fine");
  }

  @Test
  void dec46_largeHead_is431AndTheConnectionGoesOn() {
    RawFrames client = connect();
    byte[] block = client.block(with("x-a", "\u00ff".repeat(40_000)));
    int third = block.length / 3;

    client.frame(
        RawFrames.HEADERS, RawFrames.END_STREAM, 1, java.util.Arrays.copyOfRange(block, 0, third));
    client.frame(
        RawFrames.CONTINUATION, 0, 1, java.util.Arrays.copyOfRange(block, third, 2 * third));
    client.frame(
        RawFrames.CONTINUATION,
        RawFrames.END_HEADERS,
        1,
        java.util.Arrays.copyOfRange(block, 2 * third, block.length));

    assertThat(client.answer(1).status()).isEqualTo(431);
    assertThat(client.get(3, "/next").answer(3).text()).isEqualTo("fine");
  }

  @Test
  void foreignScheme_is400() {
    assertThat(connect().headers(1, true, replaced(":scheme", "ftp")).answer(1).status())
        .isEqualTo(400);
  }

  @Test
  void cookieCrumbs_reachTheOriginAsOneLine() {
    connect().get(1, "/", "cookie", "a=1", "x-b", "2", "cookie", "c=3").answer(1);

    String head = origin.request(0).head();
    assertThat(head).contains("cookie: a=1; c=3\r\n").contains("x-b: 2\r\n");
  }

  @Test
  void request_reachesTheOriginAsHttp1() {
    connect().get(1, "/p?q=1", "te", "trailers", "x-b", "v\u00e9").answer(1);

    String head = origin.request(0).head();
    assertThat(head)
        .startsWith("GET /p?q=1 HTTP/1.1\r\nHost: a.example\r\n")
        .contains("x-b: v\u00e9\r\n")
        .doesNotContainIgnoringCase("\r\nte:")
        .doesNotContain(":authority");
    assertThat(
            head.lines()
                .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("host:")))
        .hasSize(1);
  }

  @Test
  void hostWithoutAuthority_isTheAuthority() {
    connect()
        .headers(1, true, ":method", "GET", ":scheme", "http", ":path", "/", "host", "b.example")
        .answer(1);

    assertThat(origin.request(0).field("Host")).isEqualTo("b.example");
  }

  @Test
  void hostThatIsTheAuthority_isFine() {
    assertThat(connect().get(1, "/", "host", "A.example:80").answer(1).status()).isEqualTo(200);
  }
}
