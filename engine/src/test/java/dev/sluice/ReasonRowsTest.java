package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.net.DirectMemory;
import dev.sluice.outcome.BypassReason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * BEY-06: each reason is one that a request can meet, and the answer, the log's word and the
 * metrics' label are the same.
 */
class ReasonRowsTest {

  private static final String FRESH = "Cache-Control: max-age=60";
  private static final String SHORT = "\r\nContent-Length: 9\r\n\r\nx";
  private static final Pattern COUNTED =
      Pattern.compile("sluice_cache_(?:requests|not_kept)_total\\{[^}]*reason=\"([a-z_]+)\"");

  /** What a request is and what is answered to it, for reasons that these alone decide. */
  private record Row(String request, String answer) {}

  private static final Map<BypassReason, Row> ROWS =
      Map.ofEntries(
          row(BypassReason.PRIVATE_ROUTE, "GET /private/p", ok(FRESH)),
          row(BypassReason.REUSE_OFF, "GET /off/p", ok(FRESH)),
          row(BypassReason.METHOD, "POST /p|Content-Length: 0", ok(FRESH)),
          row(BypassReason.AUTHORIZATION, "GET /p|Authorization: Basic eA==", ok(FRESH)),
          row(BypassReason.COOKIE, "GET /p|Cookie: a=b", ok(FRESH)),
          row(BypassReason.REQUEST_BODY, "GET /p|Content-Length: 2||ab", ok(FRESH)),
          row(BypassReason.DRAFT, "GET /p|Cookie: __prerender_bypass=1", ok(FRESH)),
          row(
              BypassReason.UPGRADE,
              "GET /p|Connection: upgrade|Upgrade: websocket|Sec-WebSocket-Version: 13",
              ok(FRESH)),
          row(BypassReason.AMBIGUOUS_TARGET, "GET /p%2fq", ok(FRESH)),
          row(BypassReason.INTERNAL_PARAMETER, "GET /p?nxtPslug=1", ok(FRESH)),
          row(BypassReason.RANGE, "GET /p|Range: bytes=0-0", ok(FRESH)),
          row(BypassReason.CONDITION, "GET /p|If-Match: \"x\"", ok(FRESH)),
          row(BypassReason.HEAD_FIRST, "HEAD /p", ok(FRESH)),
          row(BypassReason.RSC_MISMATCH, "GET /p?_rsc=other|RSC: 1", ok(FRESH)),
          row(BypassReason.IDENTITY_REFUSED, "GET /p|Accept-Encoding: identity;q=0", ok(FRESH)),
          row(
              BypassReason.KEY_TOO_LONG,
              "GET /p|Next-Router-State-Tree: " + "t".repeat(20_000),
              ok(FRESH)),
          row(BypassReason.CLIENT_NO_STORE, "GET /p|Cache-Control: no-store", ok(FRESH)),
          row(BypassReason.SET_COOKIE, "GET /p", ok(FRESH + "|Set-Cookie: a=b")),
          row(BypassReason.STATUS, "GET /p", HeldOrigin.answer("403 No", FRESH, "no")),
          row(BypassReason.PARTIAL, "GET /p", HeldOrigin.answer("206 Part", FRESH, "x")),
          row(BypassReason.VARY_STAR, "GET /p", ok(FRESH + "|Vary: *")),
          row(BypassReason.UNSUPPORTED_VARY, "GET /p", ok(FRESH + "|Vary: X-Forwarded-For")),
          row(BypassReason.CUT_SHORT, "GET /p", "HTTP/1.1 200 OK\r\n" + FRESH + SHORT),
          row(BypassReason.UNTIL_CLOSE, "GET /p", "HTTP/1.1 200 OK\r\n" + FRESH + "\r\n\r\nx"),
          row(BypassReason.EVENT_STREAM, "GET /p", ok(FRESH + "|Content-Type: text/event-stream")),
          row(BypassReason.CONTENT_TYPE, "GET /p", ok(FRESH + "|Content-Type: text/x-component")),
          row(BypassReason.CODING, "GET /p", ok(FRESH + "|Content-Encoding: br")),
          row(BypassReason.NO_STORE, "GET /p", ok("Cache-Control: no-store")),
          row(BypassReason.PRIVATE, "GET /p", ok("Cache-Control: private")),
          row(BypassReason.NO_CACHE, "GET /p", ok("Cache-Control: no-cache")),
          row(BypassReason.NO_FRESHNESS, "GET /p", ok("X: y")),
          row(
              BypassReason.PREFETCH,
              "GET /vouched/p|Sec-Purpose: prefetch",
              ok("Cache-Control: private")),
          row(BypassReason.CACHE_OFF, "GET /uncached/p", ok(FRESH)),
          row(BypassReason.OVERSIZE, "GET /p", HeldOrigin.ok(FRESH, "x".repeat(1_100_000))),
          row(BypassReason.STORE_FULL, "GET /p", HeldOrigin.ok(FRESH, "x".repeat((1 << 20) - 9))));

  /** Those that more than a request and its answer must come together for. */
  private static final List<BypassReason> HAPPENINGS =
      List.of(
          BypassReason.BOARDED_BEFORE,
          BypassReason.MEMORY,
          BypassReason.OTHER_VALIDATOR,
          BypassReason.PURGED);

  @RegisterExtension static final Running running = new Running();

  @SuppressWarnings("NullAway.Init")
  private HeldOrigin origin;

  @SuppressWarnings("NullAway.Init")
  private Visitors visitors;

  @SuppressWarnings("NullAway.Init")
  private Operator operator;

  private static Map.Entry<BypassReason, Row> row(
      BypassReason reason, String request, String answer) {
    return Map.entry(reason, new Row(request, answer));
  }

  private static String ok(String fields) {
    return HeldOrigin.ok(fields, "x");
  }

  private void open(HeldOrigin.Answers answers) {
    open(answers, new DirectMemory());
  }

  private void open(HeldOrigin.Answers answers, DirectMemory memory) {
    origin = running.closing(HeldOrigin.start(answers));
    Sluice proxy = running.closing(Running.start(origin.port(), file(), memory));
    visitors = new Visitors(running, proxy);
    operator = new Operator(running, proxy);
  }

  private static ProxyFile file() {
    return ProxyFile.plain()
        .server("debug_headers: true")
        .block(
            "cache: { enabled: true, max_memory: 1MiB, max_body_size: 1MiB,"
                + " honor_client_no_cache: true, purge: { token: "
                + Operator.TOKEN
                + " } }")
        .block("coalesce: { max_body: 1MiB }")
        .block("upgrade: { enabled: true }")
        .block(
            """
            routes:
              - { id: private, match: "/private/**", class: private_dynamic }
              - id: "off"
                match: "/off/**"
                class: public_ssr
                cache: { enabled: false }
                coalesce: { enabled: false }
              - { id: uncached, match: "/uncached/**", class: public_ssr, cache: { enabled: false } }
              - id: vouched
                match: "/vouched/**"
                class: public_ssr
                cache: { override_origin: true, ttl: { max: 9s } }
              - { id: shop, match: "/**", class: public_ssr }
            """);
  }

  private RawClient ask(String request) {
    String[] headAndBody = request.split("\\|\\|", 2);
    String[] lines = headAndBody[0].split("\\|", -1);
    String[] start = lines[0].split(" ", 2);
    String[] fields = Stream.of(lines).skip(1).toArray(String[]::new);
    RawClient client = visitors.ask(start[0], start[1], fields);
    return headAndBody.length > 1 ? client.send(headAndBody[1]) : client;
  }

  /** Returns once nothing is under way: every reason that was met so far. */
  private Set<String> counted() {
    visitors.awaitIdle();
    var reasons = new TreeSet<String>();
    COUNTED.matcher(operator.metrics()).results().forEach(found -> reasons.add(found.group(1)));
    return reasons;
  }

  @ParameterizedTest
  @EnumSource(BypassReason.class)
  void reason_isMetByARequest(BypassReason reason) {
    Row row = ROWS.get(reason);
    if (row == null) {
      assertThat(HAPPENINGS).contains(reason);
      return;
    }
    open(asked -> row.answer());
    RawClient client = ask(row.request());
    String head = client.readHead();
    client.close();

    assertThat(counted()).containsExactly(reason.code());
    // What is known at the head is told there.
    boolean late = Set.of(BypassReason.CUT_SHORT, BypassReason.STORE_FULL).contains(reason);
    assertThat(head.contains("; detail=" + reason.code() + "\r\n")).isEqualTo(!late);
  }

  /** Two flights whose answers varied by what it had not known. */
  @Test
  void boardedBefore_isMetBehindTwoAnswersOfOtherVariants() {
    open(asked -> ok(FRESH + (asked.number() == 0 ? "|Vary: X-A" : "|Vary: X-A, X-B")));

    assertThat(visitors.get("/p", "X-A: 1", "X-B: 1").header("Cache-Status"))
        .isEqualTo("sluice; fwd=bypass; detail=boarded_before");

    assertThat(origin.requests()).isEqualTo(3);
    assertThat(counted()).contains(BypassReason.BOARDED_BEFORE.code());
  }

  @Test
  void otherValidator_isMetWhereANotModifiedSpeaksOfAnotherAnswer() {
    String stored = FRESH + "|Age: 60|ETag: \"a\"|Last-Modified: Sat, 29 Oct 1994 19:43:31 GMT";
    open(
        asked ->
            asked.field("If-None-Match").isEmpty()
                ? ok(stored)
                : HeldOrigin.answer("304 Not Modified", FRESH + "|ETag: \"b\"", ""));
    visitors.get("/p");

    assertThat(visitors.get("/p").text()).isEqualTo("x");

    assertThat(origin.requests()).isEqualTo(3);
    assertThat(counted()).contains(BypassReason.OTHER_VALIDATOR.code());
  }

  @Test
  void purged_isMetByAPurgeUnderWay() {
    open(asked -> ok(FRESH));
    origin.hold();
    RawClient client = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    operator.purge("path=/p");
    origin.release();

    assertThat(client.readAll().text()).isEqualTo("x");
    assertThat(counted()).containsExactly(BypassReason.PURGED.code());
  }

  /** Memory got short while the answer was under way: it is served, and not kept. */
  @Test
  void memory_isMetWhereItIsShort() {
    int ballast = 64 << 20;
    var turn = new CountDownLatch(1);
    open(
        asked -> asked.target().equals("/p") ? behind(turn) : ok("Cache-Control: private"),
        new DirectMemory(new DirectMemory().used() + ballast));
    RawClient client = visitors.ask("GET", "/p");
    origin.awaitRequests(1);
    ByteBuf held = Unpooled.directBuffer(ballast);
    try {
      Running.await("a shed", () -> visitors.get("/q").status() == 503);
      turn.countDown();
      assertThat(client.readAll().text()).isEqualTo("x");
    } finally {
      held.release();
    }

    assertThat(counted()).contains(BypassReason.MEMORY.code());
  }

  private static String behind(CountDownLatch turn) {
    Running.await("its turn", () -> turn.getCount() == 0);
    return ok(FRESH);
  }
}
