package dev.sluice.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admin.AdminPages.Scope;
import dev.sluice.admin.PurgeCommand.Purge;
import dev.sluice.governor.Purger.Purged;
import dev.sluice.governor.Supposed;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.net.BindFailure;
import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.PlainHttpListener;
import dev.sluice.net.Transport;
import dev.sluice.observe.AccessLog;
import dev.sluice.observe.Metrics;
import dev.sluice.observe.MetricsPage;
import dev.sluice.observe.Observer;
import dev.sluice.outcome.Cause;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages over a real socket. */
final class AdminPagesTest {

  private final FakeEngine engine = new FakeEngine();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> purges = new ArrayList<>();
  private volatile String token = "";
  private AccessLog log;
  private PlainHttpListener listener;
  private int port;

  @BeforeEach
  void start() throws IOException, BindFailure {
    log = new AccessLog("none", () -> 0);
    listener = listenerFor(Scope.ALL);
    port = listener.bind(new Address("127.0.0.1", 0));
  }

  @AfterEach
  void stop() {
    listener.close();
    log.close();
  }

  @Test
  void live_isSaidInEveryState() throws Exception {
    assertThat(get("/health/live").statusCode()).isEqualTo(200);

    engine.ready = true;
    engine.draining = true;

    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(engine.asked).as("health never asks admission").isZero();
  }

  @Test
  void ready_followsTheEngine() throws Exception {
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);

    engine.ready = true;
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);

    engine.applicationDown = true;
    HttpResponse<String> down = get("/health/ready");
    assertThat(down.statusCode()).isEqualTo(503);
    assertThat(down.body()).isEqualTo("the application does not listen\n");

    engine.draining = true;
    HttpResponse<String> draining = get("/health/ready");
    assertThat(draining.statusCode()).isEqualTo(503);
    assertThat(draining.body()).isEqualTo("draining\n");
    assertThat(engine.asked).as("health never asks admission").isZero();
  }

  @Test
  void status_tellsTheSnapshot() throws Exception {
    HttpResponse<String> answer = get("/status");

    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    JsonNode status = new ObjectMapper().readTree(answer.body());
    assertThat(status.get("generation").asLong()).isEqualTo(4);
    assertThat(status.get("fingerprint").asText()).isEqualTo("abc");
    assertThat(status.get("version").asText()).isEqualTo("1.2.3");
    assertThat(status.get("draining").asBoolean()).isFalse();
    assertThat(status.at("/features/transport").asText()).isEqualTo("epoll");
    assertThat(status.at("/admission/render/limit").asInt()).isEqualTo(8);
    assertThat(status.at("/admission/render/in_flight").asInt()).isEqualTo(3);
    assertThat(status.at("/admission/render/waiting").asInt()).isEqualTo(2);
    assertThat(status.at("/admission/render/shed/queue_full").asLong()).isEqualTo(5);
    assertThat(status.at("/admission/render/tiers/high/limit").asInt()).isEqualTo(4);
    assertThat(status.at("/admission/render/routes/shop/limit").isNull()).isTrue();
    assertThat(status.at("/work/exchanges").asInt()).isEqualTo(7);
    assertThat(status.at("/work/flights").asInt()).isEqualTo(6);
    assertThat(status.at("/upstreams/0/address").asText()).isEqualTo("127.0.0.1:3000");
    assertThat(status.at("/upstreams/0/in_flight").asInt()).isEqualTo(3);
    assertThat(status.at("/upstreams/0/breaker").toString())
        .isEqualTo("{\"state\":\"open\",\"failures\":9,\"attempts\":10,\"trips\":2}");
    assertThat(status.get("application").toString())
        .isEqualTo("{\"state\":\"listening\",\"pid\":4711,\"restarts\":2,\"last_exit\":143}");
    assertThat(status.at("/upstreams/0/resolved/0").asText()).isEqualTo("127.0.0.1");
    assertThat(status.at("/upstreams/0/in_use").asBoolean()).isFalse();
    assertThat(status.at("/upstreams/0/healthy").asBoolean()).isTrue();
    assertThat(status.at("/upstreams/0/ejected").asBoolean()).isTrue();
    assertThat(status.at("/upstreams/0/last_probe").asText()).isEqualTo("passed");
    assertThat(status.at("/upstreams/0/idle").asInt()).isEqualTo(2);
    assertThat(status.at("/upstreams/0/latency_ms").asDouble()).isEqualTo(1.5);
    assertThat(status.at("/upstreams/0/units").asInt()).isEqualTo(3);
    assertThat(status.at("/upstreams/0/units_limit").asInt()).isEqualTo(4);
    assertThat(status.at("/work/boardable_flights").asInt()).isEqualTo(5);
    assertThat(status.at("/work/refreshes").asInt()).isEqualTo(4);
    assertThat(status.at("/listeners/0/name").asText()).isEqualTo("traffic");
    assertThat(status.at("/listeners/0/port").asInt()).isEqualTo(8080);
    assertThat(status.get("cache").toString())
        .isEqualTo(
            "{\"entries\":11,\"variants\":12,\"bytes\":13,\"max_bytes\":14,\"pinned_bytes\":15,"
                + "\"evictions\":16,\"purges\":17,\"purged_entries\":18}");
    assertThat(status.at("/memory/spool_bytes_held").asLong()).isEqualTo(50);
    assertThat(status.at("/memory/spool_bytes_max").asLong()).isEqualTo(60);
    assertThat(status.at("/memory/direct_used").asLong()).isEqualTo(30);
  }

  @Test
  void metrics_areServedWhereTheyBelong() throws Exception {
    assertThat(get("/metrics").body()).contains("# HELP sluice_access_log_dropped_total");
    assertThat(get("/metrics").headers().firstValue("content-type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");

    open(Scope.WITHOUT_METRICS);
    assertThat(get("/metrics").statusCode()).isEqualTo(404);
    assertThat(get("/health/live").statusCode()).isEqualTo(200);

    open(Scope.METRICS_ONLY);
    assertThat(get("/metrics").statusCode()).isEqualTo(200);
    assertThat(get("/health/live").statusCode()).isEqualTo(404);
    assertThat(get("/status").statusCode()).isEqualTo(404);
  }

  @Test
  void path_unknown_is404() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/health").statusCode()).isEqualTo(404);
    assertThat(get("/health/").statusCode()).isEqualTo(404);
    assertThat(get("/status/").statusCode()).isEqualTo(404);
    assertThat(get("/purge").statusCode()).isEqualTo(404);
  }

  @Test
  void method_other_is405() throws Exception {
    HttpResponse<String> answer = send("DELETE", "/status");

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
    assertThat(send("HEAD", "/status").body()).isEmpty();
  }

  /** CCH-25: without a token there is no such page, whatever the method. */
  @Test
  void purge_withoutAToken_isAnyUnknownPath() throws Exception {
    for (String method : List.of("POST", "GET", "DELETE")) {
      HttpResponse<String> purge = purge(method, "?tag=t", "Bearer x");
      HttpResponse<String> unknown = send(method, "/nothing");

      assertThat(purge.statusCode()).isEqualTo(404);
      assertThat(purge.body()).isEqualTo(unknown.body());
    }
    assertThat(purges).isEmpty();
  }

  /** CCH-24. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer secret",
        "Bearer secret-and-long-enougH",
        "Bearer secret-and-long-enough-",
        "Basic secret-and-long-enough",
        "secret-and-long-enough"
      })
  void purge_withTheWrongToken_is401(String authorization) throws Exception {
    token = "secret-and-long-enough";

    HttpResponse<String> answer = purge("POST", "?tag=t", authorization);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
    assertThat(purges).isEmpty();
  }

  /** CCH-26. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE"})
  void purge_withAnotherMethod_is405(String method) throws Exception {
    token = "secret-and-long-enough";

    HttpResponse<String> answer = purge(method, "?tag=t", "Bearer " + token);

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).hasValue("POST");
    assertThat(purges).isEmpty();
  }

  /** CCH-27. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?",
        "?tagg=x",
        "?Tag=x",
        "?tag",
        "?tag=",
        "?tag=%20",
        "?tag=a&tag=b",
        "?tag=a,b",
        "?tag=a&path=/b",
        "?path=/a&prefix=/b",
        "?path=",
        "?path=a",
        "?path=/a?b=1",
        "?path=/a&soft=2",
        "?path=/a&soft=",
        "?path=/a&hard=1",
        "?soft=1",
        "?path=/a&",
        "?prefix=a"
      })
  void purge_ofSomethingElse_is400(String query) throws Exception {
    token = "secret-and-long-enough";

    assertThat(raw("POST /purge" + query))
        .startsWith("HTTP/1.1 400 ")
        .contains("Nothing is purged");
    assertThat(raw("POST /purge?tag=%zz")).startsWith("HTTP/1.1 400 ");
    assertThat(purges).isEmpty();
  }

  /** CCH-20, CCH-21, BEY-08. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?tag=product-42 | TAG product-42 hard",
        "?tag=a%20b+c&soft=0 | TAG a b c hard",
        "?soft=1&path=/a/b | PATH /a/b soft",
        "?path=%2Fa%2Fb | PATH /a/b hard",
        "?path=/caf%C3%A9 | PATH /café hard",
        "?path=/caf%25C3%25A9 | PATH /café hard",
        "?path=/products/[slug] | PATH /products/[slug] hard",
        "?path=/a/../b | PATH /a/../b hard",
        "?prefix=/100%25 | PREFIX /100% hard",
        "?prefix=/%252e | PREFIX /%2e hard",
        "?prefix=/.well | PREFIX /.well hard"
      })
  void purge_isTakenAsItIsMeant(String query, String meant) throws Exception {
    token = "secret-and-long-enough";

    assertThat(raw("POST /purge" + query))
        .startsWith("HTTP/1.1 200 ")
        .contains("content-type: application/json")
        .endsWith("{\"entries\":3,\"flights\":2,\"number\":1}");
    assertThat(purges).containsExactly(meant);
  }

  @Test
  void purge_isNotOnTheMetricsListener() throws Exception {
    token = "secret-and-long-enough";
    open(Scope.METRICS_ONLY);

    assertThat(purge("POST", "?tag=t", "Bearer " + token).statusCode()).isEqualTo(404);
    assertThat(purges).isEmpty();
  }

  /** BEY-07: like the other pages that only tell, for whoever reaches the listener. */
  @Test
  void explain_isAskedInWords() throws Exception {
    assertThat(raw("GET /explain?target=%2Fshop%3Fa%3D1&header=RSC:+1&header=Host:%20b.example"))
        .startsWith("HTTP/1.1 200 ")
        .contains("content-type: text/plain; charset=utf-8")
        .endsWith("http b.example GET /shop?a=1 with RSC: 1, Host: b.example\n");
    assertThat(
            raw(
                "GET /explain?method=POST&scheme=https&target=/p&status=404"
                    + "&response_header=Vary:%20*"))
        .endsWith("https localhost POST /p with Host: localhost\n404 with Vary: *\n");
    assertThat(raw("GET /explain?target=/p&header=Host:a%20b"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("refused: 400 bad_request\nbecause: " + Cause.BAD_REQUEST.sentence() + "\n");
    assertThat(send("POST", "/explain?target=/p").statusCode()).isEqualTo(405);
    assertThat(send("HEAD", "/explain?target=/p").statusCode()).isEqualTo(200);
  }

  /** A router's state tree is long. */
  @Test
  void explain_takesALongField() throws Exception {
    String tree = "x".repeat(12_000);

    assertThat(raw("GET /explain?target=/&header=next-router-state-tree:" + tree))
        .startsWith("HTTP/1.1 200 ")
        .contains(tree);
    assertThat(raw("GET /explain?target=/&header=a:" + "x".repeat(17_000)))
        .startsWith("HTTP/1.1 400 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                            | target is none (expected: a path, /…).",
        "?target=p                     | target is none (expected: a path, /…).",
        "?target=/a%20b                | target is none (expected: a path, /…).",
        "?target=/a%0d%0ab             | target is none (expected: a path, /…).",
        "?target=/&target=/b           | target is given twice.",
        "?target=/&path=/b             | a parameter is unknown (expected: target, method, ",
        "?target=/&method=             | method is none (expected: GET, POST and so on).",
        "?target=/&scheme=ftp          | scheme is none (expected: http or https).",
        "?target=/&status=101          | status is none (expected: 200 to 999).",
        "?target=/&header=x            | header is none (expected: NAME: VALUE).",
        "?target=/&header=x%0a:y       | header is none (expected: NAME: VALUE).",
        "?target=/&header=x:y%0d%0az:1 | header is none (expected: NAME: VALUE).",
        "?target=/&response_header=:y  | response_header is none (expected: NAME: VALUE).",
        "?target=/%zz                  | target has an escape that is none."
      })
  void explain_ofNothing_is400(String query, String why) throws Exception {
    assertThat(raw("GET /explain" + query))
        .startsWith("HTTP/1.1 400 ")
        .contains("Nothing is explained: " + why);
  }

  @Test
  void explain_isNotOnTheMetricsListener() throws Exception {
    open(Scope.METRICS_ONLY);

    assertThat(get("/explain?target=/").statusCode()).isEqualTo(404);
  }

  private static List<String> explain(Supposed.Case supposed) {
    RequestHead request = supposed.request();
    String first =
        String.join(
            " ",
            supposed.scheme(),
            request.authority(),
            request.method(),
            request.target().raw(),
            "with",
            shown(request.headers()));
    ResponseHead answer = supposed.answer();
    return answer == null
        ? List.of(first)
        : List.of(first, answer.status() + " with " + shown(answer.headers()));
  }

  private static String shown(Headers headers) {
    return IntStream.range(0, headers.size())
        .mapToObj(i -> headers.name(i) + ": " + headers.value(i))
        .collect(Collectors.joining(", "));
  }

  private Purged purge(Purge purge) {
    purges.add(purge.selector() + " " + purge.value() + (purge.soft() ? " soft" : " hard"));
    return new Purged(3, 2, purges.size());
  }

  private HttpResponse<String> purge(String method, String query, String authorization)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/purge" + query))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), BodyHandlers.ofString(UTF_8));
  }

  /** With the token, and a target that no client's own idea of one stands in the way of. */
  private String raw(String line) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request = line + " HTTP/1.1\r\nHost: x\r\nauthorization: bearer " + token + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private void open(Scope scope) throws BindFailure {
    listener.close();
    listener = listenerFor(scope);
    port = listener.bind(new Address("127.0.0.1", 0));
  }

  private PlainHttpListener listenerFor(Scope scope) {
    var metrics = new MetricsPage(() -> new Metrics(new Observer(1, log)));
    return new PlainHttpListener(
        Transport.NIO,
        "test-admin",
        new AdminPages(
            scope,
            engine,
            metrics,
            new PurgePage(() -> token, this::purge),
            new ExplainPage(AdminPagesTest::explain)));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString(UTF_8));
  }
}
