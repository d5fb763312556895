package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.ReloadRule.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReloadRuleTest {

  private static final Settings CURRENT = Reading.accepted(Reading.LEAST).settings();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "server.listen | server: { listen: \"0.0.0.0:1\" }",
        "server.event_loops | server: { event_loops: 5 }",
        "server.balance | server: { balance: reuseport }",
        "server.transport | server: { transport: nio }",
        "server.max_connections | server: { max_connections: 100 }",
        "server.graceful.pid_file | server: { graceful: { pid_file: x } }",
        "telemetry.admin.listen | telemetry: { admin: { listen: \"a:1\" } }",
        "telemetry.prometheus.listen | telemetry: { prometheus: { listen: \"a:1\" } }",
        "telemetry.logging.access | telemetry: { logging: { access: none } }"
      })
  void keyOfWhatIsOpen_changed_isRefused(String keyPath, String change) {
    Settings next = Reading.accepted(Reading.LEAST + change).settings();

    assertThat(ReloadRule.refusals(CURRENT, next))
        .extracting(Refusal::keyPath)
        .containsExactly(keyPath);
  }

  /** DEC-20: the application that runs stays the one that runs. */
  @Test
  void command_changed_isRefused() {
    Settings next =
        Reading.accepted("version: 1\norigin: { upstreams: [\"127.0.0.1:3000\"], command: [a, b] }")
            .settings();

    assertThat(ReloadRule.refusals(CURRENT, next))
        .extracting(Refusal::keyPath)
        .containsExactly("origin.command");
  }

  @Test
  void refusal_names_bothValues() {
    Settings next = Reading.accepted(Reading.LEAST + "server: { balance: reuseport }").settings();

    assertThat(ReloadRule.refusals(CURRENT, next).get(0))
        .hasToString(
            "server.balance: a reload cannot change least to reuseport; the running configuration"
                + " stays; restart to change it");
  }

  @Test
  void everythingElse_reloads() {
    String text =
        """
        version: 1
        server: { hosts: [a.b], debug_headers: true, via: none, max_header: 16KiB }
        timeouts: { origin_read: 1s }
        origin: { upstreams: ["b:1"], concurrency: { max: 3 }, max_idle: 1 }
        overload: { status: 429 }
        cache: { enabled: true, max_memory: 100MiB, tag_header: x-tags, encodings: [br] }
        coalesce: { max_waiters: 3 }
        spool: { enabled: true, max_memory: 50MiB }
        deployment: { id: next }
        routes: [ { id: a, match: /a, class: public_ssr, cache: { forward: [x-a] } } ]
        telemetry: { logging: { level: debug } }
        """;

    assertThat(ReloadRule.refusals(CURRENT, Reading.accepted(text).settings())).isEmpty();
  }
}
