package dev.sluice.reports.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.launch.RealProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A headless Chromium, driven over its DevTools protocol. Its resolver knows no name, so that what
 * a page asks the network for fails. Confined to one thread.
 */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RealProcess process;
  private final WebSocket socket;
  private final AtomicInteger number = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<Waiting> waiting = new CopyOnWriteArrayList<>();
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();
  private String session = "";

  /** Somebody who waits for an event of this name. */
  private record Waiting(String method, CompletableFuture<JsonNode> seen) {}

  Browser(Path chromium, Path profile) {
    process =
        RealProcess.start(
            "chromium",
            List.of(
                chromium.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "about:blank"));
    try {
      String line = process.waitForLine("DevTools listening on ws://", PATIENCE);
      URI address = URI.create(line.substring(line.indexOf("ws://")).trim());
      socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(address, new Messages())
              .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .join();
    } catch (RuntimeException | AssertionError e) {
      process.close();
      throw e;
    }
  }

  /** Opens the page in a tab of this size, at twice the density. */
  void open(URI page, int width, int height, boolean dark) throws IOException {
    session = "";
    JsonNode target = call("Target.createTarget", Map.of("url", "about:blank"));
    JsonNode attached =
        call(
            "Target.attachToTarget",
            Map.of("targetId", target.path("targetId").asText(), "flatten", true));
    session = attached.path("sessionId").asText();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", Map.of());
    }
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 2, "mobile", width < 600));
    Map<String, String> scheme =
        Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
    call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
    events.clear();
    var loaded = new Waiting("Page.loadEventFired", new CompletableFuture<>());
    waiting.add(loaded);
    call("Page.navigate", Map.of("url", page.toString()));
    await(loaded.seen(), "the page to load");
    waiting.remove(loaded);
  }

  /** The value of a JavaScript expression in the page. */
  JsonNode evaluate(String expression) throws IOException {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /** What the page in front has asked for by an address that is not its own file. */
  List<String> requests() {
    List<String> addresses = new ArrayList<>();
    for (JsonNode event : events("Network.requestWillBeSent")) {
      String address = event.path("request").path("url").asText();
      if (!address.startsWith("file:") && !address.startsWith("data:")) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /** Exceptions of its scripts, errors and warnings on its console. */
  List<String> complaints() {
    List<String> said = new ArrayList<>();
    events("Runtime.exceptionThrown")
        .forEach(event -> said.add(event.path("exceptionDetails").path("text").asText()));
    events("Runtime.consoleAPICalled").stream()
        .filter(event -> event.path("type").asText().matches("error|warning|assert"))
        .forEach(event -> said.add(event.path("args").toString()));
    events("Log.entryAdded").stream()
        .map(event -> event.path("entry"))
        .filter(entry -> entry.path("level").asText().matches("error|warning"))
        .forEach(entry -> said.add(entry.path("text").asText()));
    return said;
  }

  /** The screen as a PNG. */
  byte[] screenshot() throws IOException {
    return call("Page.captureScreenshot", Map.of("format", "png")).path("data").binaryValue();
  }

  private List<JsonNode> events(String method) {
    return events.stream()
        .filter(event -> event.path("method").asText().equals(method))
        .filter(event -> event.path("sessionId").asText().equals(session))
        .map(event -> event.path("params"))
        .toList();
  }

  private JsonNode call(String method, Map<String, Object> parameters) throws IOException {
    int id = number.incrementAndGet();
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", parameters);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    var answer = new CompletableFuture<JsonNode>();
    answers.put(id, answer);
    socket.sendText(JSON.writeValueAsString(message), true).join();
    JsonNode said = await(answer, method);
    if (said.has("error")) {
      throw new IOException(method + ": " + said.path("error"));
    }
    return said.path("result");
  }

  private static JsonNode await(CompletableFuture<JsonNode> answer, String what)
      throws IOException {
    try {
      return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(what + ": interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(what + ": no answer within " + PATIENCE, e);
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.close();
  }

  /** What the browser says, whole messages. */
  private final class Messages implements WebSocket.Listener {
    private final StringBuilder partial = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      partial.append(data);
      if (last) {
        take(partial.toString());
        partial.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }

    private void take(String text) {
      JsonNode message;
      try {
        message = JSON.readTree(text);
      } catch (IOException e) {
        throw new IllegalStateException("not a message: " + text, e);
      }
      if (message.has("id")) {
        CompletableFuture<JsonNode> answer = answers.remove(message.path("id").asInt());
        if (answer != null) {
          answer.complete(message);
        }
        return;
      }
      events.add(message);
      waiting.stream()
          .filter(one -> one.method().equals(message.path("method").asText()))
          .forEach(one -> one.seen().complete(message));
    }
  }
}
