package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import dev.sluice.fixture.launch.FreePorts;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What crosses the proxy, either way, and what does not. */
class ForwardingTest {

  @RegisterExtension static final Running running = new Running();
  private static SlowOrigin origin;
  private static Sluice plain;

  @BeforeAll
  static void start() {
    origin = running.slowOrigin();
    plain = running.proxy(origin.port());
  }

  // Requests.

  /** DEC-46: a request that passed through here before is a loop. */
  @Test
  void dec46_ownVia_is508() {
    Sluice named = running.proxy(origin.port(), ProxyFile.plain().server("via: edge-1"));

    assertThat(asking(named, "Via: 1.0 fred, 1.1 Edge-1 (x)").readAll().status()).isEqualTo(508);
    assertThat(asking(named, "Via: 1.1 edge-2").readAll().text())
        .contains("[\"Via\",\"1.1 edge-2\"]")
        .contains("[\"Via\",\"1.1 edge-1\"]");
  }

  /** DEC-46: a proxy that is its own origin finds out at the second pass. */
  @Test
  void dec46_proxyBeforeItself_is508AtTheSecondPass() {
    int port = FreePorts.next();
    Sluice looping = running.proxy(port, ProxyFile.plain().listen(port));

    RawClient client = running.client(looping).get("/x");

    assertThat(client.readAll().status()).isEqualTo(508);
    assertThat(Running.granted(looping, "render")).isEqualTo(1);
  }

  /** DEC-46: a host that is not served is 421, before routing. */
  @ParameterizedTest
  @CsvSource({
    "shop.test, 200",
    "SHOP.test:8080, 200",
    "a.b.shops.test, 200",
    "shops.test, 421",
    "other.test, 421",
    "shop.test.evil.test, 421"
  })
  void dec46_hosts_decideWhoIsServed(String host, int status) {
    Sluice proxy =
        running.proxy(
            origin.port(), ProxyFile.plain().server("hosts: [ \"shop.test\", \"*.shops.test\" ]"));

    RawClient client = running.client(proxy).send("GET /x HTTP/1.1\r\nHost: " + host + "\r\n\r\n");

    assertThat(client.readAll().status()).isEqualTo(status);
  }

  /** H07: the absolute form's authority wins, and is what the origin is told. */
  @Test
  void h07_absoluteForm_rewritesHost() {
    RawClient client = running.client(plain);
    client.send("GET http://Admin.Internal/x?echo=1 HTTP/1.1\r\nHost: shop.test\r\n\r\n");

    RawResponse answer = client.readAll();

    if (answer.status() == 200) {
      assertThat(answer.text())
          .containsIgnoringCase("[\"Host\",\"admin.internal\"]")
          .doesNotContain("shop.test");
    } else {
      // DESIGN 4: where it disagrees with Host it may be refused.
      assertThat(answer.status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET ftp://a/x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://u:p@a/x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /x HTTP/1.1\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a, b\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: a/../x\r\n\r\n"
      })
  void h07_oddAuthority_isRefused(String request) {
    long before = origin.stats().requests();

    assertThat(running.client(plain).send(request).readAll().status()).isEqualTo(400);
    assertThat(origin.stats().requests()).isEqualTo(before);
  }

  /** H11: hostile numbers cost nothing that they claim. */
  @Test
  void h11_oversizedInput_isRefusedByName() {
    String many = IntStream.range(0, 10_000).mapToObj(i -> "a:b\r\n").collect(Collectors.joining());
    String[][] cases = {
      {"GET /" + "a".repeat(1 << 20) + " HTTP/1.1\r\n", "414"},
      {"GET / HTTP/1.1\r\nHost: a\r\n" + many + "\r\n", "431"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\n", "400"},
    };
    for (String[] row : cases) {
      RawClient client = running.client(plain);
      client.send(row[0].substring(0, Math.min(row[0].length(), 48 << 10)));
      assertThat(client.readHead()).startsWith("HTTP/1.1 " + row[1] + " ");
    }
  }

  /** RFC 9110 7.6.1: what Connection names stays on its hop, unless it is end-to-end. */
  @Test
  void connectionNames_ofARequest_stayBehind() {
    String seen =
        asking(
                plain,
                "Connection: X-Hop, Keep-Alive\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nX-End: 2")
            .readAll()
            .text();

    assertThat(seen)
        .contains("[\"X-End\",\"2\"]")
        .doesNotContain("X-Hop")
        .doesNotContain("Keep-Alive")
        .doesNotContain("\"Connection\"");
  }

  @Test
  void trailers_ofARequest_reachTheOrigin() {
    RawClient client = running.client(plain);
    client.send(
        "POST /x?echo=1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3\r\nabc\r\n0\r\nX-Sum: 42\r\nContent-Length: 9\r\n\r\n");

    assertThat(client.readAll().text()).contains("\"trailers\":[[\"X-Sum\",\"42\"]]");
  }

  /** DEC-43: an asset is nobody's: cookies do not reach the origin, and a draft cookie is none. */
  @Test
  void dec43_cookiesOfAStaticRoute_areNotForwarded() {
    ProxyFile routes =
        ProxyFile.plain().block("routes: [ { id: assets, match: \"/assets/**\", class: static } ]");
    Sluice proxy = running.proxy(origin.port(), routes);
    String cookies = " HTTP/1.1\r\nHost: a\r\nCookie: sid=1; __prerender_bypass=x\r\n\r\n";

    String asset = running.client(proxy).send("GET /assets/a.js?echo=1" + cookies).readAll().text();
    String page = running.client(proxy).send("GET /page?echo=1" + cookies).readAll().text();
    String post = running.client(proxy).send("POST /assets/a.js?echo=1" + cookies).readAll().text();

    assertThat(asset).doesNotContain("sid=1").doesNotContainIgnoringCase("cookie");
    assertThat(page).contains("sid=1");
    assertThat(post).as("never static, by DEC-33").contains("sid=1");
    assertThat(Running.granted(proxy, "static")).isEqualTo(1);
  }

  // Answers.

  @Test
  void connectionNames_ofAnAnswer_stayBehind() {
    TrickOrigin trick =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write(
                    "HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-End: 2\r\n"
                        + "Keep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n"));

    String head = running.clientBefore(trick.port()).get("/x").readHead();

    assertThat(head)
        .contains("\r\nX-End: 2\r\n")
        .doesNotContain("X-Hop")
        .doesNotContain("Keep-Alive")
        .doesNotContain("Connection");
  }

  /** DEC-35: trailers go on, but for those that must not stand there; Set-Cookie is dropped. */
  @Test
  void trailers_ofAnAnswer_reachTheClient() {
    TrickOrigin trick =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
                        + "X-Sum: 42\r\nSet-Cookie: a=b\r\nContent-Length: 7\r\n\r\n")
                .readHead()
                .answer("next"));
    RawClient client = running.clientBefore(trick.port());

    RawResponse answer = client.get("/x").readAll();

    assertThat(answer.text()).isEqualTo("ok");
    assertThat(answer.trailers()).isEqualTo("X-Sum: 42\r\n");
    assertThat(client.get("/y").readAll().text()).isEqualTo("next");
  }

  /** RFC 9112 6.3: these have no body whatever their fields say, and their connection lives on. */
  @ParameterizedTest
  @CsvSource({
    "HEAD, 200, Content-Length: 5, Content-Length: 5",
    "HEAD, 200, Transfer-Encoding: chunked,",
    "HEAD, 404, Content-Length: 9, Content-Length: 9",
    "GET, 304, Content-Length: 5, Content-Length: 5",
    "GET, 304, ETag: x,",
    "GET, 204, X: y,"
  })
  void bodilessAnswers_arePassedOnAndTheConnectionIsUsedAgain(
      String method, int status, String field, String kept) {
    TrickOrigin trick =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write("HTTP/1.1 " + status + " Fine\r\n" + field + "\r\n\r\n")
                .readHead()
                .answer("next"));
    RawClient client = running.clientBefore(trick.port());

    client.send(method + " /x HTTP/1.1\r\nHost: a\r\n\r\n");

    String head = client.readHead();
    assertThat(head).startsWith("HTTP/1.1 " + status + " ").doesNotContain("Transfer-Encoding");
    if (kept == null) {
      assertThat(head).doesNotContain("Content-Length");
    } else {
      assertThat(head).contains("\r\n" + kept + "\r\n");
    }
    assertThat(client.get("/y").readAll().text()).isEqualTo("next");
    assertThat(trick.connections()).isEqualTo(1);
  }

  // HTTP/1.0 clients.

  @Test
  void http10_withKeepAlive_staysOpenWhereTheLengthIsKnown() {
    RawClient client = running.client(plain);
    String request =
        "GET /x?bytes=7&framing=%s HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n";

    client.send(request.formatted("length"));
    RawResponse first = client.readAll();
    client.send(request.formatted("chunked"));
    String head = client.readHead();

    assertThat(first.header("Connection")).isEqualTo("keep-alive");
    assertThat(head).contains("\r\nConnection: close\r\n").doesNotContain("Transfer-Encoding");
    assertThat(client.readUntilClose()).hasSize(7);
  }

  @Test
  void http10_withoutKeepAlive_isClosedBehindTheAnswer() {
    RawClient client = running.client(plain);

    client.send("GET /x?bytes=7 HTTP/1.0\r\nHost: a\r\n\r\n");

    assertThat(client.readHead()).contains("\r\nConnection: close\r\n");
    assertThat(client.readUntilClose()).hasSize(7);
  }

  /** RFC 9110 15.2: an HTTP/1.0 client gets no interim answer. */
  @Test
  void http10_getsNoInterimAnswer() {
    RawClient client = running.client(plain);

    client.send("GET /x?bytes=7&early=103&interim=2 HTTP/1.0\r\nHost: a\r\n\r\n");

    assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void closeAskedFor_isAnsweredAndClosed() {
    RawClient client = asking(plain, "Connection: close");

    assertThat(client.readHead()).contains("\r\nConnection: close\r\n");
    assertThat(client.readUntilClose()).isNotEmpty();
  }

  /** DEC-46: the origin's Server and Date stay; a Date is added where it sent none. */
  @Test
  void dec46_date_isTheOriginsOrOurs() {
    String with = "HTTP/1.1 200 OK\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nServer: o\r\n";
    String end = "Content-Length: 0\r\n\r\n";
    TrickOrigin trick =
        running.trickOrigin(
            TrickScript.begin()
                .readHead()
                .write(with + end)
                .readHead()
                .write("HTTP/1.1 200 OK\r\n" + end));
    RawClient client = running.clientBefore(trick.port());

    RawResponse first = client.get("/a").readAll();
    RawResponse second = client.get("/b").readAll();

    assertThat(first.headers("Date")).isEqualTo(List.of("Mon, 01 Jan 2024 00:00:00 GMT"));
    assertThat(first.header("Server")).isEqualTo("o");
    assertThat(second.headers("Date")).hasSize(1);
    assertThat(second.headers("Server")).isEmpty();
  }

  private static RawClient asking(Sluice proxy, String fields) {
    return running
        .client(proxy)
        .send("GET /x?echo=1 HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n");
  }
}
