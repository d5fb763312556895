package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.exactly;

import dev.sluice.scenarios.simulation.Sample;
import dev.sluice.scenarios.simulation.SetCookieSimulation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An answer that sets a cookie is nobody else's, whatever the file allows (SHR, GTE-19). */
class SetCookieGate {

  private static final List<String> ORIGIN = List.of("--loops", "1");

  private static final String CONFIG =
      """
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        concurrency: { max: 32, queue: { max: 200, timeout: 5s, predict: false } }
      cache: { enabled: true, max_memory: 16MiB }
      routes:
        - id: all
          match: "/set-cookie/**"
          class: public_ssr
          cookies: { assert_public: true }
          cache: { override_origin: true, ttl: { max: 60s } }
          coalesce: { enabled: true, override_origin: true }
      """;

  @Test
  void answerThatSetsACookie_isNobodyElses() {
    Scenario.claim(
            "set-cookie",
            "On a route that may share all, each client still gets a session of its own.")
        .with("per_second", 60)
        .with("seconds", 3)
        .judge(
            scenario ->
                scenario.governed(
                    SetCookieSimulation.class,
                    CONFIG,
                    ORIGIN,
                    (run, stack) -> governed(scenario, run)));
  }

  private static void governed(Scenario scenario, Run run) throws Exception {
    Samples sessions = run.samples().kind("session");
    Samples plain = run.samples().kind("plain");
    scenario.gate().control("asked_without_cookie", plain.count());
    scenario.onOwnStack(
        "renders_without_cookie",
        unused ->
            scenario
                .gate()
                .control(
                    "renders_without_cookie",
                    run.counted().orElseThrow().requestsOf("plain", run.samples()),
                    exactly(1)));
    scenario.seen("served", sessions.ok().count(), exactly(sessions.count()));
    scenario.seen("sessions", sessions.distinct(Sample::cookie), exactly(sessions.count()));
    scenario.seen(
        "without_a_session",
        sessions.where(sample -> sample.cookie().isEmpty()).count(),
        exactly(0));
    scenario.seen(
        "sessions_where_none_is_set",
        plain.where(sample -> !sample.cookie().isEmpty()).count(),
        exactly(0));
    scenario.counted(
        "origin_renders",
        run,
        counted -> counted.requestsOf("session", run.samples()),
        exactly(sessions.count()));
    scenario.chart(run, false, "both pages");
  }
}
