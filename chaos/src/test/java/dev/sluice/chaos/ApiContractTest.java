package dev.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.chaos.RawApi.Reply;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.FreePorts;
import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import eu.rekawek.toxiproxy.model.Toxic;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import eu.rekawek.toxiproxy.model.toxic.Latency;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Toxiproxy's API promises, asked of whichever server was chosen: life cycles and errors. */
class ApiContractTest {

  private final ToxiproxyServer server = ToxiproxyServer.shared();
  private final ToxiproxyClient client = server.client();
  private final RawApi api = new RawApi(server.url());
  private final EchoServer echo = new EchoServer();
  private final Proxy proxy = server.proxyTo(echo.port());
  private final String path = "/proxies/" + proxy.getName();

  @AfterEach
  void removeProxy() throws IOException {
    if (client.getProxyOrNull(proxy.getName()) != null) {
      proxy.delete();
    }
    echo.close();
  }

  @Test
  void version_isJson() throws IOException {
    assertThat(api.get("/version").json().path("version").asText()).matches("[0-9].*");
    assertThat(client.version()).contains("version");
  }

  // Proxies.

  @Test
  void newProxy_listensAndIsShown() throws IOException {
    Reply shown = api.get(path);

    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.contentType()).startsWith("application/json");
    assertThat(shown.json().path("name").asText()).isEqualTo(proxy.getName());
    assertThat(shown.json().path("listen").asText()).matches("127\\.0\\.0\\.1:[1-9][0-9]*");
    assertThat(shown.json().path("upstream").asText()).isEqualTo("127.0.0.1:" + echo.port());
    assertThat(shown.json().path("enabled").asBoolean()).isTrue();
    assertThat(shown.json().path("toxics").isArray()).isTrue();
    assertThat(carries(proxy.getListen())).isTrue();
    assertThat(client.getProxies()).extracting(Proxy::getName).contains(proxy.getName());
    assertThat(api.get("/proxies").json().path(proxy.getName()).path("enabled").asBoolean())
        .isTrue();
  }

  @Test
  void createdProxy_answers201() {
    String name = ToxiproxyServer.freshName();

    Reply created = api.post("/proxies", proxyJson(name, ""));

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.json().path("enabled").asBoolean()).isTrue();
    assertThat(created.json().path("toxics")).isEmpty();
    assertThat(api.delete("/proxies/" + name).status()).isEqualTo(204);
  }

  @Test
  void proxyCreatedDisabled_doesNotListen() {
    String name = ToxiproxyServer.freshName();
    int port = FreePorts.next();

    Reply created =
        api.post(
            "/proxies",
            proxyJson(name, ",\"listen\":\"127.0.0.1:" + port + "\",\"enabled\":false"));

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.json().path("enabled").asBoolean()).isFalse();
    assertRefused(port);
    assertThat(api.post("/proxies/" + name, "{\"enabled\":true}").status()).isEqualTo(200);
    assertThat(carries("127.0.0.1:" + port)).isTrue();
    api.delete("/proxies/" + name);
  }

  @Test
  void disabledProxy_refuses_andItsConnectionsAreClosed() throws IOException {
    int port = ToxiproxyServer.port(proxy.getListen());
    try (var open = RawClient.connect(port)) {
      open.send("before");
      assertThat(open.readBody(6)).asString().isEqualTo("before");
      proxy.disable();
      open.awaitEnd();
    }
    echo.awaitEnd();
    assertRefused(port);
    assertThat(client.getProxy(proxy.getName()).isEnabled()).isFalse();

    proxy.enable();
    assertThat(carries("127.0.0.1:" + port)).isTrue();
  }

  @Test
  void changedAddresses_areInForce() throws IOException {
    int port = FreePorts.next();
    int before = ToxiproxyServer.port(proxy.getListen());
    proxy.setListen("127.0.0.1:" + port);
    assertThat(carries("127.0.0.1:" + port)).isTrue();
    assertRefused(before);

    try (var other = new EchoServer()) {
      proxy.setUpstream("127.0.0.1:" + other.port());
      assertThat(carries(proxy.getListen())).isTrue();
      other.awaitEnd();
    }
    assertThat(api.ask("PATCH", path, "{\"enabled\":false}").json().path("enabled").asBoolean())
        .isFalse();
  }

  @Test
  void deletedProxy_isGone() throws IOException {
    int port = ToxiproxyServer.port(proxy.getListen());

    assertThat(api.delete(path).status()).isEqualTo(204);

    assertRefused(port);
    assertThat(client.getProxyOrNull(proxy.getName())).isNull();
    assertError(api.get(path), 404, "proxy not found");
    assertError(api.delete(path), 404, "proxy not found");
    assertError(api.post(path, "{}"), 404, "proxy not found");
    assertThatThrownBy(() -> client.getProxy(proxy.getName()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("proxy not found");
  }

  @Test
  void proxyWithoutUpstreamListening_closesItsClient() {
    int nobody = FreePorts.next();
    Proxy lost = server.proxyTo(nobody);
    try (var open = RawClient.connect(ToxiproxyServer.port(lost.getListen()))) {
      open.awaitEnd();
    }
    api.delete("/proxies/" + lost.getName());
  }

  @Test
  void populate_makesAndReplaces() {
    String one = ToxiproxyServer.freshName();
    String two = ToxiproxyServer.freshName();
    String both = "[" + proxyJson(one, "") + "," + proxyJson(two, ",\"enabled\":false") + "]";

    Reply populated = api.post("/populate", both);
    assertThat(populated.status()).isEqualTo(201);
    List<JsonNode> made =
        List.of(populated.json().at("/proxies/0"), populated.json().at("/proxies/1"));
    assertThat(made)
        .extracting(proxyNode -> proxyNode.path("name").asText())
        .containsExactly(one, two);
    assertThat(made)
        .extracting(node -> node.path("enabled").asBoolean())
        .containsExactly(true, false);

    try (var other = new EchoServer()) {
      String moved = proxyJson(one, "").replace(":" + echo.port(), ":" + other.port());
      Reply again = api.post("/populate", "[" + moved + "]");
      assertThat(again.json().at("/proxies/0/upstream").asText())
          .isEqualTo("127.0.0.1:" + other.port());
      assertThat(carries(again.json().at("/proxies/0/listen").asText())).isTrue();
      other.awaitEnd();
    }
    assertError(api.post("/populate", "[{\"name\":\"x\"}]"), 400, "missing required field");
    api.delete("/proxies/" + one);
    api.delete("/proxies/" + two);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                               | 400 | missing required field: name",
        "{\"name\":\"x\"}                 | 400 | missing required field: upstream",
        "{\"name\":                       | 400 | bad request body",
        "{\"name\":7,\"upstream\":\"a:1\"} | 400 | bad request body"
      })
  void wrongProxy_isRefused(String body, int status, String error) {
    assertError(api.post("/proxies", body), status, error);
  }

  @Test
  void proxyTwice_conflicts() {
    assertError(api.post("/proxies", proxyJson(proxy.getName(), "")), 409, "proxy already exists");
  }

  @Test
  void takenPort_isAnErrorOfTheServer() {
    String taken = ",\"listen\":\"127.0.0.1:" + echo.port() + "\"";
    Reply reply = api.post("/proxies", proxyJson(ToxiproxyServer.freshName(), taken));

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.json().path("error").asText()).isNotEmpty();
  }

  @Test
  void unknownPages_andMethods() {
    assertThat(api.get("/nothing").status()).isEqualTo(404);
    assertThat(api.ask("PUT", "/proxies", "{}").status()).isEqualTo(405);
    assertThat(api.ask("GET", "/proxies", "", "User-Agent", "Mozilla/5.0").status()).isEqualTo(403);
  }

  // Toxics.

  @Test
  void toxicOfTheClients_isShownWhole() throws IOException {
    proxy.toxics().latency("late", ToxicDirection.DOWNSTREAM, 100).setJitter(15);

    JsonNode shown = api.get(path + "/toxics/late").json();
    assertThat(shown.path("type").asText()).isEqualTo("latency");
    assertThat(shown.path("stream").asText()).isEqualTo("downstream");
    assertThat(shown.path("toxicity").asDouble()).isEqualTo(1.0);
    assertThat(shown.at("/attributes/latency").asInt()).isEqualTo(100);
    assertThat(shown.at("/attributes/jitter").asInt()).isEqualTo(15);
    assertThat(proxy.toxics().get("late", Latency.class).getLatency()).isEqualTo(100);
    assertThat(api.get(path).json().at("/toxics/0/name").asText()).isEqualTo("late");
  }

  @Test
  void everyTypeOfToxic_isMadeListedAndRemoved() throws IOException {
    proxy.toxics().latency("a", ToxicDirection.UPSTREAM, 1);
    proxy.toxics().bandwidth("b", ToxicDirection.UPSTREAM, 1_000);
    proxy.toxics().slowClose("c", ToxicDirection.UPSTREAM, 1);
    proxy.toxics().timeout("d", ToxicDirection.DOWNSTREAM, 1);
    proxy.toxics().slicer("e", ToxicDirection.DOWNSTREAM, 10, 1);
    proxy.toxics().limitData("f", ToxicDirection.DOWNSTREAM, 1);
    proxy.toxics().resetPeer("g", ToxicDirection.DOWNSTREAM, 1);

    assertThat(proxy.toxics().getAll())
        .extracting(Toxic::getName)
        .containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f", "g");
    for (Toxic toxic : proxy.toxics().getAll()) {
      toxic.remove();
    }
    assertThat(api.get(path + "/toxics").text().strip()).isEqualTo("[]");
    assertThat(api.delete(path + "/toxics/a").status()).isEqualTo(404);
  }

  @Test
  void toxicOfFewWords_isDownstreamAndForAll() {
    Reply made = api.post(path + "/toxics", "{\"type\":\"latency\"}");

    assertThat(made.status()).isEqualTo(200);
    assertThat(made.json().path("name").asText()).isEqualTo("latency_downstream");
    assertThat(made.json().path("stream").asText()).isEqualTo("downstream");
    assertThat(made.json().path("toxicity").asDouble()).isEqualTo(1.0);
    assertThat(made.json().at("/attributes/latency").asInt()).isZero();
  }

  @Test
  void update_changesOnlyWhatItNames() throws IOException {
    Latency late = proxy.toxics().latency("late", ToxicDirection.UPSTREAM, 100);
    late.setJitter(15);
    late.setToxicity(0.5f);

    JsonNode updated =
        api.ask("PATCH", path + "/toxics/late", "{\"attributes\":{\"latency\":7}}").json();
    assertThat(updated.at("/attributes/latency").asInt()).isEqualTo(7);
    assertThat(updated.at("/attributes/jitter").asInt()).isEqualTo(15);
    assertThat(updated.path("toxicity").asDouble()).isEqualTo(0.5);
    assertThat(updated.path("stream").asText()).isEqualTo("upstream");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"plague\"}                                          | 400 | invalid toxic type",
        "{\"type\":\"latency\",\"stream\":\"sideways\"}                 | 400 | stream was invalid",
        "{\"type\":\"latency\",\"attributes\":{\"latency\":\"long\"}}   | 400 | bad request body",
        "{\"type\":                                                     | 400 | bad request body"
      })
  void wrongToxic_isRefused(String body, int status, String error) {
    assertError(api.post(path + "/toxics", body), status, error);
    assertThat(api.get(path + "/toxics").json()).isEmpty();
  }

  @Test
  void toxicTwice_conflicts_andNoneIsNotFound() {
    String late = "{\"type\":\"latency\",\"name\":\"late\"}";
    api.post(path + "/toxics", late);

    assertError(api.post(path + "/toxics", late), 409, "toxic already exists");
    assertError(api.get(path + "/toxics/none"), 404, "toxic not found");
    assertError(api.post(path + "/toxics/none", "{}"), 404, "toxic not found");
    assertError(api.delete(path + "/toxics/none"), 404, "toxic not found");
    assertError(api.get("/proxies/none/toxics"), 404, "proxy not found");
    assertError(
        api.post(path + "/toxics/late", "{\"toxicity\":\"much\"}"), 400, "bad request body");
  }

  @Test
  void reset_removesToxics_andEnables() throws IOException {
    proxy.toxics().timeout("stop", ToxicDirection.DOWNSTREAM, 0);
    proxy.disable();

    client.reset();

    assertThat(api.get(path).json().path("enabled").asBoolean()).isTrue();
    assertThat(api.get(path + "/toxics").json()).isEmpty();
    assertThat(carries(api.get(path).json().path("listen").asText())).isTrue();
    assertThat(api.post("/reset", "").status()).isEqualTo(204);
  }

  private String proxyJson(String name, String more) {
    return "{\"name\":\"%s\",\"upstream\":\"127.0.0.1:%d\"%s}"
        .formatted(
            name,
            echo.port(),
            more.contains("listen") ? more : ",\"listen\":\"127.0.0.1:0\"" + more);
  }

  private static boolean carries(String listen) {
    try (var open = RawClient.connect(ToxiproxyServer.port(listen))) {
      open.send("through");
      return new String(open.readBody(7), StandardCharsets.US_ASCII).equals("through");
    }
  }

  private static void assertRefused(int port) {
    assertThatThrownBy(() -> RawClient.connect(port)).isInstanceOf(UncheckedIOException.class);
  }

  private static void assertError(Reply reply, int status, String error) {
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.json().path("status").asInt()).isEqualTo(status);
    assertThat(reply.json().path("error").asText()).startsWith(error);
  }
}
