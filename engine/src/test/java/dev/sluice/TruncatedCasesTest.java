package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.fixture.PeerClosed;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body that ended short is nobody's whole one (C03; DEC-35, cut short in mid-body). */
class TruncatedCasesTest {

  private static final String AGE = "Cache-Control: max-age=60\r\n\r\n";
  private static final String FRESH = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n";
  private static final String WHOLE = FRESH + "Content-Length: 5\r\n\r\nwhole";

  @RegisterExtension static final Running running = new Running();

  private final CountDownLatch head = new CountDownLatch(1);
  private final CountDownLatch cut = new CountDownLatch(1);

  private static TrickScript whole() {
    return TrickScript.begin().readHead().write(WHOLE).readHead().write(WHOLE);
  }

  /** Some of the body, and behind the latch the end: FIN or RST. */
  private TrickScript begun(String answer, boolean reset) {
    TrickScript script = TrickScript.begin().readHead().await(head).write(answer).await(cut);
    return reset ? script.reset() : script.close();
  }

  private static Visitors visitors(TrickOrigin origin) {
    return new Visitors(running, running.proxy(origin.port(), Visitors.shop().loops(2)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 10\r\n\r\n12345",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n123"
      })
  void c03_bodyThatIsCut_abortsAllAboardAndIsNotStored(String answer) {
    TrickOrigin origin = running.trickOrigin(begun(FRESH + answer, false), whole());
    Visitors visitors = visitors(origin);
    List<RawClient> crowd = visitors.crowd(6, "/p");
    visitors.awaitUnderWay(6);
    head.countDown();
    for (RawClient each : crowd) {
      assertThat(each.readHead()).startsWith("HTTP/1.1 200");
      Running.await("bytes", each::hasBytes);
    }

    cut.countDown();

    for (RawClient each : crowd) {
      String seen = new String(each.readUntilClose(), java.nio.charset.StandardCharsets.UTF_8);
      assertThat(seen).contains("123").doesNotEndWith("0\r\n\r\n").doesNotContain("whole");
    }
    assertThat(visitors.get("/p").text()).isEqualTo("whole");
  }

  /** HTTP/1.0 told its end by closing; a reset is no end. */
  @Test
  void c03_bodyUntilCloseThatIsReset_isCut() {
    TrickOrigin origin =
        running.trickOrigin(
            begun("HTTP/1.0 200 OK\r\nCache-Control: max-age=60\r\n\r\n12345", true), whole());
    Visitors visitors = visitors(origin);
    List<RawClient> crowd = visitors.crowd(4, "/p");
    visitors.awaitUnderWay(4);
    head.countDown();
    for (RawClient each : crowd) {
      each.readHead();
      Running.await("bytes", each::hasBytes);
    }

    cut.countDown();

    for (RawClient each : crowd) {
      String seen = new String(each.readUntilClose(), java.nio.charset.StandardCharsets.UTF_8);
      assertThat(seen).contains("12345").doesNotEndWith("0\r\n\r\n");
    }
    assertThat(visitors.get("/p").text()).isEqualTo("whole");
  }

  /**
   * A clean FIN may be a crash, so such an answer is for those aboard, unless the route permits.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.0 200 OK\r\nCache-Control: max-age=60\r\n\r\n12345",
        FRESH + "Connection: close\r\n\r\n12345",
        FRESH + "Transfer-Encoding: identity\r\n\r\n12345"
      })
  void c03_bodyUntilClose_isSharedAndNotStored(String answer) {
    TrickOrigin origin = running.trickOrigin(begun(answer, false), whole());
    Visitors visitors = visitors(origin);
    List<RawClient> crowd = visitors.crowd(4, "/p");
    visitors.awaitUnderWay(4);
    head.countDown();
    cut.countDown();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::text).containsOnly("12345");
    assertThat(origin.connections()).isEqualTo(1);
    RawResponse later = visitors.get("/p");
    assertThat(later.text()).isEqualTo("whole");
    assertThat(later.header("X-Sluice")).isEqualTo("MISS");
  }

  /** RFC 9112 8: complete, in the words of the protocol; the route says that it trusts them. */
  @Test
  void c03_bodyUntilCloseOnARouteThatPermits_isStored() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin().readHead().write("HTTP/1.0 200 OK\r\n" + AGE + "12345").close());
    Visitors visitors =
        new Visitors(
            running, running.proxy(origin.port(), Visitors.shop("cache: { statuses: explicit }")));

    assertThat(visitors.get("/p").text()).isEqualTo("12345");
    RawResponse later = visitors.get("/p");
    assertThat(later.text()).isEqualTo("12345");
    assertThat(later.header("X-Sluice")).isEqualTo("HIT");
  }

  /** What is beyond the length is no body, and the connection is not used again. */
  @Test
  void c03_bytesBeyondTheLength_areDroppedAndTheConnectionToo() {
    TrickOrigin origin =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write(FRESH + "Content-Length: 3\r\n\r\n12345")
                .readUntilClose(),
            whole());
    Visitors visitors = visitors(origin);

    RawResponse first = visitors.get("/p");
    origin.connection(0).awaitScriptOver();

    assertThat(first.text()).isEqualTo("123");
    assertThat(visitors.get("/other").text()).isEqualTo("whole");
    assertThat(origin.connections()).isEqualTo(2);
  }

  /** DEC-35: whoever has had no byte of it boards once more; the lead's end is its own. */
  @Test
  void dec35_cutBeforeTheFirstByte_sendsFollowersBackOnce() {
    TrickOrigin origin =
        running.trickOrigin(begun(FRESH + "Content-Length: 10\r\n\r\n", false), whole());
    Visitors visitors = visitors(origin);
    RawClient lead = visitors.ask("GET", "/p");
    origin.connection(0).awaitReceived("\r\n\r\n");
    List<RawClient> followers = visitors.crowd(6, "/p");
    visitors.awaitUnderWay(7);
    head.countDown();
    assertThat(lead.readHead()).startsWith("HTTP/1.1 200");

    cut.countDown();

    for (RawResponse answer : Visitors.readAll(followers)) {
      assertThat(answer.text()).isEqualTo("whole");
    }
    assertThatThrownBy(() -> lead.readBody(1)).isInstanceOf(PeerClosed.class);
    assertThat(origin.connections()).isEqualTo(2);
  }

  /** And no more than once: the second time it is the origin's failure. */
  @Test
  void dec35_cutBeforeTheFirstByteTwice_isAFailureForTheRest() {
    String nothing = FRESH + "Content-Length: 10\r\n\r\n";
    TrickOrigin origin = running.trickOrigin(begun(nothing, false));
    Visitors visitors = visitors(origin);
    RawClient lead = visitors.ask("GET", "/p");
    origin.connection(0).awaitReceived("\r\n\r\n");
    List<RawClient> followers = visitors.crowd(6, "/p");
    visitors.awaitUnderWay(7);
    head.countDown();
    assertThat(lead.readHead()).startsWith("HTTP/1.1 200");

    cut.countDown();

    List<Integer> statuses = new ArrayList<>();
    for (RawClient follower : followers) {
      statuses.add(Integer.parseInt(follower.readHead().substring(9, 12)));
    }
    // One of them led the second flight and had its head.
    assertThat(statuses).containsOnlyOnce(200).contains(502);
    assertThat(origin.connections()).isEqualTo(2);
  }
}
