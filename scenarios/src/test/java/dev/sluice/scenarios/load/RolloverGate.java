package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.exactly;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.scenarios.simulation.CatalogSimulation;
import dev.sluice.scenarios.simulation.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A new release of the application takes over under load: nobody's request fails, and once the new
 * configuration is in force nobody gets a page of the old release (KEY-22, OPS-14).
 */
class RolloverGate {

  private static final int PAGES = 10;
  private static final int WARM_UP_PAGES = 200;
  private static final String OLD = "release-1";
  private static final String NEW = "release-2";
  private static final List<String> ORIGIN = List.of("--name", OLD);
  private static final ObjectMapper JSON = new ObjectMapper();

  private long inForceMillis;

  @Test
  void newRelease_takesOverWithoutAFailureOrAnOldPage() {
    Scenario.claim(
            "rollover",
            "A new release takes over under load: no request fails, and no page of the old one is"
                + " served once its id is in force.")
        .with("per_second", 60)
        .with("seconds", 4)
        .given("pages", PAGES)
        .given("ttl_seconds", 60)
        .needsOwnStack("this gate swaps the configuration and ends the old release")
        .judge(
            scenario -> {
              scenario.onOwnStack("same_id", unused -> sameId(scenario));
              scenario.governed(
                  CatalogSimulation.class,
                  config(OLD),
                  ORIGIN,
                  (stack, gatling) -> rollover(stack, gatling, NEW),
                  (run, stack) -> judge(scenario, run));
            });
  }

  private void sameId(Scenario scenario) throws Exception {
    try (var stack = Stack.start(config(OLD), ORIGIN)) {
      Run run =
          scenario.control(
              stack, CatalogSimulation.class, (own, gatling) -> rollover(own, gatling, OLD));
      Samples after = after(run);
      scenario.gate().control("asked_afterwards", after.count());
      scenario.gate().control("old_pages_afterwards", from(after, OLD), above(0));
    }
  }

  private void judge(Scenario scenario, Run run) {
    var gate = scenario.gate();
    Samples seen = run.samples();
    gate.measured("served", seen.ok().count(), exactly(seen.count()));
    gate.measured(
        "different_bodies", seen.distinct(sample -> "" + sample.crc32()), exactly(2 * PAGES));
    gate.measured("old_pages_before", from(seen, OLD), above(PAGES));
    gate.measured("new_pages_afterwards", from(after(run), NEW), above(PAGES));
    gate.measured("old_pages_afterwards", from(after(run), OLD), exactly(0));
    scenario.chart(run, false, "all pages");
  }

  /** The new release starts, the configuration names it, the old one ends once it is idle. */
  private void rollover(Stack stack, GatlingRun gatling, String id) {
    gatling.awaitBegin();
    try (var next = SlowOriginProcess.start("--name", NEW)) {
      warm(next.port());
      Stack.await("the store has every page", () -> stack.stats().finishedWriting() >= 2 * PAGES);
      long before = generation(stack);
      stack.reload(config(id), next.port());
      Stack.await("the new configuration", () -> generation(stack) > before);
      inForceMillis = System.currentTimeMillis();
      Stack.await("the old release is idle", () -> stack.stats().inFlight() == 0);
      stack.origin().process().kill();
      gatling.awaitEnd();
    }
  }

  /** As whoever looks whether it is ready: a cold one's first pages take long. */
  private static void warm(int port) {
    try (RawClient client = RawClient.connect(port)) {
      for (int i = 0; i < WARM_UP_PAGES; i++) {
        client.get("/warm-up?ms=1&bytes=8000").readAll();
      }
    }
  }

  private Samples after(Run run) {
    return run.samples().where(sample -> sample.beganMillis() > inForceMillis);
  }

  private static long from(Samples samples, String release) {
    return samples.by(Sample::origin).getOrDefault(release, 0L);
  }

  private static long generation(Stack stack) {
    String status = stack.sluice().status();
    try {
      return JSON.readTree(status).findValue("generation").asLong();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a status page: " + status, e);
    }
  }

  private static String config(String id) {
    return """
        origin:
          upstreams: ["127.0.0.1:{{origin}}"]
          concurrency: { max: 8, queue: { max: 100, timeout: 2s } }
        cache: { enabled: true, max_memory: 16MiB }
        deployment: { id: %s }
        routes:
          - id: all
            match: "/**"
            class: public_ssr
            cache: { override_origin: true, ttl: { max: 60s } }
        """
        .formatted(id);
  }
}
