package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EffectiveTest {

  @Test
  void values_tellWhereTheyCameFrom() {
    String text =
        """
        version: 1
        origin:
          upstreams: ["127.0.0.1:3000", "${NEXT}"]
          concurrency:
            max: 10
            static: auto
        """;
    Map<String, Effective.Entry> entries =
        Reading.accepted(text, Map.of("NEXT", "b:1")).effective().entries().stream()
            .collect(Collectors.toMap(Effective.Entry::keyPath, entry -> entry));

    assertThat(entries.get("origin.upstreams"))
        .isEqualTo(
            new Effective.Entry(
                "origin.upstreams", "[127.0.0.1:3000, ${NEXT}]", "environment, sluice.yaml:3"));
    assertThat(entries.get("origin.concurrency.max"))
        .isEqualTo(new Effective.Entry("origin.concurrency.max", "10", "sluice.yaml:5"));
    assertThat(entries.get("origin.concurrency.static"))
        .isEqualTo(
            new Effective.Entry(
                "origin.concurrency.static", "64", "resolved from auto, sluice.yaml:6"));
    assertThat(entries.get("origin.concurrency.queue.max"))
        .isEqualTo(new Effective.Entry("origin.concurrency.queue.max", "20", "resolved from auto"));
    assertThat(entries.get("origin.concurrency.queue.timeout"))
        .isEqualTo(new Effective.Entry("origin.concurrency.queue.timeout", "2s", "default"));
    assertThat(entries.get("server.via"))
        .isEqualTo(new Effective.Entry("server.via", "sluice-0badcafe", "resolved from auto"));
    assertThat(entries.get("routes[0].id"))
        .isEqualTo(new Effective.Entry("routes[0].id", "default", "default"));
    assertThat(entries).doesNotContainKeys("origin.tls.sni", "origin.priorities.low");
  }

  @Test
  void lines_areAligned_inTheSchemasOrder() {
    Effective effective = Reading.accepted(Reading.LEAST).effective();

    assertThat(effective.lines().get(0)).startsWith("version: 1 ").endsWith("  # sluice.yaml:1");
    assertThat(effective.lines().stream().mapToInt(line -> line.lastIndexOf("# ")).distinct())
        .hasSize(1);
  }
}
