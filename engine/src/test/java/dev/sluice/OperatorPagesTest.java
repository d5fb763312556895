package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.config.Machine;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.Strictness;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a whole proxy tells its operator of three requests. */
final class OperatorPagesTest {

  private static final int REQUESTS = 3;
  private static final int MOST_SCRAPES = 200;

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger originCount = new AtomicInteger();
  private HttpServer origin;
  private Sluice sluice;

  @BeforeEach
  void start() throws Exception {
    origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    origin.createContext(
        "/",
        exchange -> {
          originCount.incrementAndGet();
          byte[] body = "page".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    origin.start();
    sluice = Sluice.start(((Accepted) settings()).settings());
  }

  @AfterEach
  void stop() {
    sluice.close();
    origin.stop(0);
  }

  @Test
  void requests_served_areToldByEveryPage() throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(get(sluice.port(), "/shop?token=s3cret")).isEqualTo("page");
    }
    sluice.close();
    List<String> lines = Files.readAllLines(folder.resolve("access.log"));

    assertThat(lines).hasSize(REQUESTS);
    for (String line : lines) {
      JsonNode fields = new ObjectMapper().readTree(line);
      assertThat(fields.get("path").asText()).isEqualTo("/shop");
      assertThat(fields.get("query").asText()).isEqualTo("token");
      assertThat(fields.get("upstream").asText()).endsWith(":" + origin.getAddress().getPort());
      assertThat(line).doesNotContain("s3cret").doesNotContain("c00kie");
    }
  }

  @Test
  void metrics_agreeWithTheOrigin() throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      get(sluice.port(), "/shop");
    }

    assertThat(scrapeOnceRecorded())
        .contains("sluice_origin_requests_total{reason=\"complete\",upstream=")
        .contains("sluice_origin_duration_seconds_count " + originCount.get() + "\n")
        .contains("sluice_request_duration_seconds_count " + REQUESTS + "\n")
        .contains("sluice_admission_total{decision=\"granted\",permit=\"render\"} 3.0\n")
        .contains("sluice_admission_total{decision=\"shed_queue_full\",permit=\"render\"} 0.0\n")
        .contains("sluice_origin_in_flight{permit=\"render\"} 0.0\n")
        .contains("sluice_concurrency_limit{permit=\"render\"} 7.0\n")
        .contains("sluice_route_concurrency_limit{route=\"shop\"} 2.0\n")
        .contains("sluice_tier_in_flight{tier=\"high\"} 0.0\n")
        .contains("sluice_upstream_connections{upstream=")
        .contains("sluice_loop_connections{loop=\"0\"} ")
        .contains("sluice_exchanges_open 0.0\n")
        .contains("sluice_flights_open 0.0\n")
        .contains("sluice_draining 0.0\n")
        .contains("sluice_generation 1.0\n")
        .contains("sluice_access_log_dropped_total 0.0\n")
        .doesNotContain("NaN");
  }

  @Test
  void drain_failsReadinessOnly() throws Exception {
    assertThat(get(sluice.adminPort(), "/health/ready")).isEqualTo("ready\n");

    sluice.drain();

    assertThat(get(sluice.adminPort(), "/health/ready")).isEqualTo("draining\n");
    assertThat(get(sluice.adminPort(), "/health/live")).isEqualTo("alive\n");
    assertThat(get(sluice.adminPort(), "/metrics")).contains("sluice_draining 1.0\n");
    assertThat(get(sluice.port(), "/shop")).isEqualTo("page");
    JsonNode status = new ObjectMapper().readTree(get(sluice.adminPort(), "/status"));
    assertThat(status.get("draining").asBoolean()).isTrue();
  }

  /** A client may have its last byte a moment before the loop has written the exchange down. */
  private String scrapeOnceRecorded() throws Exception {
    String metrics = "";
    for (int i = 0; i < MOST_SCRAPES; i++) {
      metrics = get(sluice.adminPort(), "/metrics");
      if (metrics.contains("sluice_request_duration_seconds_count " + REQUESTS + "\n")
          && metrics.contains("sluice_exchanges_open 0.0\n")
          && metrics.contains("sluice_origin_in_flight{permit=\"render\"} 0.0\n")) {
        break;
      }
    }
    return metrics;
  }

  private SettingsResult settings() {
    String file =
        """
        version: 1
        server: { listen: "127.0.0.1:0" }
        origin:
          upstreams: ["127.0.0.1:%d"]
          concurrency: { max: 7 }
        routes:
          - { id: shop, match: "/shop", class: private_dynamic, concurrency: { max: 2 } }
        telemetry:
          admin: { listen: "127.0.0.1:0" }
          logging: { access: "%s" }
        """
            .formatted(origin.getAddress().getPort(), folder.resolve("access.log"));
    return new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN).read("test", file);
  }

  private String get(int port, String path) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Cookie", "sid=c00kie")
            .build();
    return client.send(request, BodyHandlers.ofString(UTF_8)).body();
  }
}
