package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.reports.Bound;
import dev.sluice.scenarios.simulation.CrawlSimulation;
import dev.sluice.scenarios.simulation.Sample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A crawler of ten thousand URLs takes what the origin has left, and pushes neither visitors nor
 * the home page out (ADM-19, CCH-04, DEC-24).
 */
class CrawlGate {

  private static final int CEILING = 4;
  private static final int STORE_MIB = 4;
  private static final int LIFETIME_SECONDS = 60;
  private static final int URLS = 10_000;

  /** Enough for the origin alone to fall behind. */
  private static final int CONTROL_URLS = 4_000;

  private static final Map<String, Object> CONTROL =
      Map.of("urls", CONTROL_URLS, "crawl_per_second", 1_000);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> ORIGIN = List.of("--cpu-threads", "1");

  private static final String CONFIG =
      """
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        priorities: { low: 50 }
        concurrency: { max: %1$d, queue: { max: 100, timeout: 2s, predict: false } }
      cache: { enabled: true, max_memory: %2$dMiB }
      routes:
        - id: crawl
          match: "/crawl/**"
          class: public_ssr
          priority: low
          cache: { override_origin: true, ttl: { max: %3$ds } }
          concurrency: { max: 1, queue: { max: 10, timeout: 200ms } }
        - id: home
          match: "/home"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: %3$ds } }
        - { id: own, match: "/own/**", class: private_dynamic, priority: high }
      """
          .formatted(CEILING, STORE_MIB, LIFETIME_SECONDS);

  @Test
  void crawlOfTenThousandUrls_takesOnlyWhatIsLeft() {
    Scenario.claim(
            "crawl",
            "A crawl of ten thousand URLs takes what is left: visitors are served soon, the home"
                + " page stays in the store, and the store within its bound.")
        .with("urls", URLS)
        .with("crawl_per_second", 500)
        .with("visitors_per_second", 10)
        .with("patience_seconds", 3)
        .with("soon_millis", 500)
        .fact("ceiling", CEILING)
        .fact("ttl_seconds", LIFETIME_SECONDS)
        .given("crawl_ceiling", 1)
        .given("store_mib", STORE_MIB)
        .judge(
            scenario -> {
              scenario.onOwnStack("direct", CrawlGate::direct);
              scenario.governed(
                  CrawlSimulation.class,
                  CONFIG,
                  ORIGIN,
                  (run, stack) -> governed(scenario, run, stack));
            });
  }

  private static void direct(Scenario scenario) throws Exception {
    try (var stack = Stack.start(CONFIG, ORIGIN)) {
      Run run = scenario.direct(stack, CrawlSimulation.class, CONTROL);
      Samples visitors = visitors(run);
      scenario.gate().control("urls", CONTROL_URLS);
      scenario.gate().control("visitors", visitors.count());
      scenario
          .gate()
          .control("visitors_served", visitors.ok().count(), below(0.7 * visitors.count()));
      scenario
          .gate()
          .control("visitors_p50_millis", visitors.kind("own").percentile(50), above(1_000));
      scenario
          .gate()
          .control(
              "origin_peak_in_flight",
              run.counted().orElseThrow().peakInFlight(),
              above(10 * CEILING));
      scenario.chart(run, true, "origin alone");
    }
  }

  private static void governed(Scenario scenario, Run run, Optional<Stack> stack) {
    Samples visitors = visitors(run);
    Samples crawl = run.samples().kind("crawl");
    scenario.seen(
        "urls_asked", crawl.distinct(Sample::target), exactly((long) scenario.number("urls")));
    scenario.seen("visitors_served", visitors.ok().count(), exactly(visitors.count()));
    Samples ownPages = visitors.kind("own");
    double soon = scenario.number("soon_millis");
    scenario.seen("visitors_p50_millis", ownPages.ok().percentile(50), below(soon));
    scenario.gate().measured("visitors_p95_millis", ownPages.ok().percentile(95));
    scenario.seen(
        "crawl_served_or_shed",
        crawl.ok().count() + crawl.status(503).count(),
        exactly(crawl.count()));
    scenario.local("crawl_served", stack, unused -> crawl.ok().count(), above(100));
    // Somebody else's store may hold the page already.
    int least = stack.isPresent() ? 1 : 0;
    double seconds = scenario.number("urls") / scenario.number("crawl_per_second");
    scenario.counted(
        "home_renders",
        run,
        counted -> counted.requestsOf("home", run.samples()),
        "ttl_seconds",
        ttl -> between(least, 1 + Math.floor(seconds / ttl)));
    scenario.counted("origin_peak_in_flight", run, Counted::peakInFlight, "ceiling", Bound::atMost);
    scenario.local(
        "store_bytes",
        stack,
        own -> storeBytes(own.sluice().status()),
        between(1, STORE_MIB << 20));
    scenario.chart(run, false, "behind Sluice");
  }

  private static Samples visitors(Run run) {
    return run.samples().otherThan("crawl");
  }

  private static long storeBytes(String status) {
    try {
      return JSON.readTree(status).at("/cache/bytes").asLong(-1);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a status page: " + status, e);
    }
  }
}
