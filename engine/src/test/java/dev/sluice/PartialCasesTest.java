package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges, HEAD and conditions around answers that are shared (C04, C06, DEC-34). */
class PartialCasesTest {

  private static final String WHOLE =
      IntStream.range(0, 5000).mapToObj(i -> "" + i % 10).collect(Collectors.joining());
  private static final String FIELDS =
      "Cache-Control: max-age=60|ETag: \"v\"|Last-Modified: Sat, 29 Oct 1994 19:43:31 GMT";

  @RegisterExtension static final Running running = new Running();

  private HeldOrigin origin;
  private Visitors visitors;

  @BeforeEach
  void start() {
    origin = running.closing(HeldOrigin.start(PartialCasesTest::page));
    visitors = new Visitors(running, running.proxy(origin.port(), Visitors.shop()));
  }

  /** Knows ranges and HEAD, as an origin may. */
  private static String page(HeldOrigin.Asked asked) {
    if (asked.method().equals("HEAD")) {
      return "HTTP/1.1 200 OK\r\n"
          + FIELDS.replace("|", "\r\n")
          + "\r\nContent-Length: 5000\r\n\r\n";
    }
    if (asked.target().startsWith("/private")) {
      return HeldOrigin.ok("Cache-Control: private|ETag: \"v\"", WHOLE);
    }
    if (asked.field("Range").equals("bytes=0-99")) {
      return HeldOrigin.answer(
          "206 Partial Content",
          FIELDS + "|Content-Range: bytes 0-99/5000",
          WHOLE.substring(0, 100));
    }
    return HeldOrigin.ok(FIELDS, WHOLE);
  }

  @Test
  void c04_partAsTheFirstAnswer_isNotStoredAsTheWhole() {
    RawResponse part = visitors.get("/p", "Range: bytes=0-99");
    RawResponse whole = visitors.get("/p");

    assertThat(part.status()).isEqualTo(206);
    assertThat(part.header("Cache-Status")).isEqualTo("sluice; fwd=bypass; detail=range");
    assertThat(whole.status()).isEqualTo(200);
    assertThat(whole.text()).isEqualTo(WHOLE);
    assertThat(origin.requests()).isEqualTo(2);
  }

  @Test
  void c04_part_isServedFromACompleteStoredAnswer() {
    visitors.get("/p");

    RawResponse part = visitors.get("/p", "Range: bytes=10-19");
    RawResponse suffix = visitors.get("/p", "Range: bytes=-5");
    RawResponse beyond = visitors.get("/p", "Range: bytes=5000-");

    assertThat(part.status()).isEqualTo(206);
    assertThat(part.text()).isEqualTo("0123456789");
    assertThat(part.header("Content-Range")).isEqualTo("bytes 10-19/5000");
    assertThat(suffix.text()).isEqualTo("56789");
    assertThat(beyond.status()).isEqualTo(416);
    assertThat(beyond.header("Content-Range")).isEqualTo("bytes */5000");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bytes=0--1", "bytes=10-5", "items=0-1", "bytes=", "bytes=a-b", "bytes=1-2-3"})
  void c04_invalidRange_isIgnored(String range) {
    visitors.get("/p");

    RawResponse answer = visitors.get("/p", "Range: " + range);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo(WHOLE);
  }

  @Test
  void c04_threeHundredRanges_areOneWholeAnswer() {
    visitors.get("/p");
    String many =
        IntStream.range(0, 300).mapToObj(i -> i + "-" + (i + 3)).collect(Collectors.joining(","));

    RawResponse answer = visitors.get("/p", "Range: bytes=" + many);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo(WHOLE);
  }

  /** RFC 9110 13.1.5: only a strong validator says that the parts belong together. */
  @Test
  void c04_ifRange_holdsForTheStrongTagOnly() {
    visitors.get("/p");

    assertThat(visitors.get("/p", "Range: bytes=0-1", "If-Range: \"v\"").status()).isEqualTo(206);
    assertThat(visitors.get("/p", "Range: bytes=0-1", "If-Range: W/\"v\"").status()).isEqualTo(200);
    assertThat(visitors.get("/p", "Range: bytes=0-1", "If-Range: \"x\"").status()).isEqualTo(200);
  }

  /** RFC 9110 14.2: Range is GET's. */
  @Test
  void c04_rangeOnHead_isIgnored() {
    visitors.get("/p");

    RawClient client = visitors.ask("HEAD", "/p", "Range: bytes=0-1");

    assertThat(client.readHead()).startsWith("HTTP/1.1 200").contains("Content-Length: 5000");
  }

  @Test
  void c06_headFirst_leavesNothingInTheStore() {
    RawClient head = visitors.ask("HEAD", "/p");
    assertThat(head.readHead()).contains("Content-Length: 5000", "detail=head_first");

    RawResponse whole = visitors.get("/p");

    assertThat(whole.text()).isEqualTo(WHOLE);
    assertThat(origin.request(0).method()).isEqualTo("HEAD");
    assertThat(origin.request(1).method()).isEqualTo("GET");
  }

  @Test
  void c06_head_isAnsweredFromTheStoredGet() {
    visitors.get("/p");

    RawClient head = visitors.ask("HEAD", "/p");

    assertThat(head.readHead()).contains("Content-Length: 5000", "X-Sluice: HIT");
    // Had a body followed, it would stand before the next answer.
    head.send("HEAD /p HTTP/1.1\r\nHost: a.example\r\n\r\n");
    assertThat(head.readHead()).startsWith("HTTP/1.1 200");
    assertThat(origin.requests()).isEqualTo(1);
  }

  @Test
  void c06_head_followsAGetThatIsUnderWay() {
    origin.hold();
    RawClient get = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    RawClient head = visitors.ask("HEAD", "/p");
    visitors.awaitUnderWay(2);

    origin.release();

    assertThat(get.readAll().text()).isEqualTo(WHOLE);
    assertThat(head.readHead()).contains("Content-Length: 5000", "collapsed");
    head.send("HEAD /p HTTP/1.1\r\nHost: a.example\r\n\r\n");
    assertThat(head.readHead()).startsWith("HTTP/1.1 200").contains("X-Sluice: HIT");
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** DEC-34: the flight asks without conditions, and each passenger's is judged by itself. */
  @Test
  void dec34_leadWithACondition_gets304WhileAFollowerGetsTheWhole() {
    origin.hold();
    RawClient lead = visitors.ask("GET", "/p", "If-None-Match: \"v\"");
    origin.awaitRequests(1);
    List<RawClient> others =
        List.of(
            visitors.ask("GET", "/p"),
            visitors.ask("GET", "/p", "If-None-Match: \"old\""),
            visitors.ask("GET", "/p", "If-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT"));
    visitors.awaitUnderWay(4);

    origin.release();

    RawResponse unmodified = lead.readAll();
    assertThat(unmodified.status()).isEqualTo(304);
    assertThat(unmodified.header("ETag")).isEqualTo("\"v\"");
    assertThat(others.get(0).readAll().text()).isEqualTo(WHOLE);
    assertThat(others.get(1).readAll().text()).isEqualTo(WHOLE);
    assertThat(others.get(2).readAll().status()).isEqualTo(304);
    assertThat(origin.request(0).head()).doesNotContainIgnoringCase("if-none-match");
    // The lead went away early, and the answer was stored nevertheless.
    assertThat(visitors.get("/p").header("X-Sluice")).isEqualTo("HIT");
    assertThat(origin.requests()).isEqualTo(1);
  }

  /** DEC-34: what proves unshareable is given whole, conditions or not. */
  @Test
  void dec34_unshareableAnswer_isTheLeadsInFull() {
    RawResponse answer = visitors.get("/private", "If-None-Match: \"v\"");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo(WHOLE);
  }

  @Test
  void dec34_preconditionWithoutAStoredAnswer_isForwardedAlone() {
    RawResponse answer = visitors.get("/p", "If-Match: \"v\"");

    assertThat(answer.header("Cache-Status")).isEqualTo("sluice; fwd=bypass; detail=condition");
    assertThat(origin.request(0).field("If-Match")).isEqualTo("\"v\"");
    visitors.get("/p");
    assertThat(visitors.get("/p", "If-Match: \"x\"").status()).isEqualTo(412);
    assertThat(origin.requests()).isEqualTo(2);
  }
}
