package dev.sluice.scenarios.load;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.reports.Bound;
import dev.sluice.scenarios.simulation.Sample;
import dev.sluice.scenarios.simulation.StorefrontSimulation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The whole mix at once: what is public is rendered once a lifetime, documents and payloads stay
 * apart, accounts and actions reach the origin one by one (KEY, SHR, NXT).
 */
class StorefrontGate {

  private static final int RENDERS = 8;
  private static final int STATICS = 32;
  private static final List<String> ONCE_A_PRODUCT =
      List.of("document", "segment", "static", "image");
  private static final List<String> TIMED =
      List.of("document", "payload", "static", "image", "account", "action");

  /** Short: that a request is a render shows at once. */
  private static final double CONTROL_SECONDS = 2;

  private static final Set<String> PAYLOADS = Set.of("segment", "prefetch", "payload");
  private static final List<String> ORIGIN = List.of("--cpu-threads", "1");

  private static final String CONFIG =
      """
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        priorities: { low: 50 }
        concurrency: { max: %d, static: %d, queue: { max: 400, timeout: 15s, predict: false } }
      cache: { enabled: true, max_memory: 64MiB }
      framework: nextjs
      routes:
        - { id: static, match: "/_next/static/**", class: static }
        - id: image
          match: "/_next/image"
          class: public_dynamic
          priority: low
          cache: { vary: { headers: ["Accept"] } }
        - id: products
          match: "/products/**"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: 30s } }
        - { id: default, match: "/**", class: private_dynamic }
      """
          .formatted(RENDERS, STATICS);

  @Test
  void storefrontsMix_costsTheOriginWhatIsNobodyElses() {
    Scenario.claim(
            "storefront",
            "Of a storefront's mix the origin renders each public thing once and each private"
                + " thing for its own client.")
        .with("per_second", 250)
        .with("patience_seconds", 20)
        .with("seconds", 6)
        .with("products", 40)
        .given(
            "mix",
            "of 233: 10 documents, 90 segments, 20 prefetches, 10 payloads, 80 static"
                + " files, 20 images, 2 accounts, 1 action")
        .given("render_ceiling", RENDERS)
        .given("static_ceiling", STATICS)
        .fact("ceiling", RENDERS + STATICS)
        .judge(
            scenario -> {
              scenario.onOwnStack("direct", StorefrontGate::direct);
              scenario.governed(
                  StorefrontSimulation.class,
                  CONFIG,
                  ORIGIN,
                  (run, stack) -> governed(scenario, run, stack));
            });
  }

  private static void direct(Scenario scenario) throws Exception {
    try (var stack = Stack.start(CONFIG, ORIGIN)) {
      Run run =
          scenario.direct(stack, StorefrontSimulation.class, Map.of("seconds", CONTROL_SECONDS));
      Samples seen = run.samples();
      scenario.gate().control("asked", seen.by(Sample::kind));
      scenario.gate().control("origin_share", share(run), exactly(1));
      for (String kind : ONCE_A_PRODUCT) {
        Samples asked = seen.kind(kind);
        scenario
            .gate()
            .control(kind + "_renders", asked.distinct(Sample::render), exactly(asked.count()));
      }
      scenario.chart(run, true, "origin alone");
    }
  }

  private static void governed(Scenario scenario, Run run, Optional<Stack> stack) {
    Samples seen = run.samples();
    Samples payloads = seen.where(sample -> PAYLOADS.contains(sample.kind()));
    Samples accounts = seen.kind("account");
    long actions = seen.kind("action").count();
    scenario.gate().measured("asked", seen.by(Sample::kind));
    scenario.seen("served", seen.ok().count(), exactly(seen.count()));
    are(scenario, "documents_that_are_html", seen.kind("document"), "text/html");
    are(scenario, "payloads_that_are_payloads", payloads, "text/x-component");
    // An application that knows its visitor need not set a session anew; the slow origin does.
    scenario.local(
        "sessions_of_accounts",
        stack,
        unused -> accounts.distinct(Sample::cookie),
        exactly(accounts.count()));
    scenario.counted(
        "accounts_at_the_origin",
        run,
        counted -> counted.requestsOf("account", seen),
        exactly(accounts.count()));
    scenario.counted(
        "actions_at_the_origin",
        run,
        counted -> counted.requestsOf("action", seen),
        exactly(actions));
    for (String kind : ONCE_A_PRODUCT) {
      // Only the slow origin numbers its renders.
      scenario.local(
          kind + "_renders",
          stack,
          unused -> seen.kind(kind).distinct(Sample::render),
          atMost(scenario.number("products")));
    }
    scenario.counted("origin_peak_in_flight", run, Counted::peakInFlight, "ceiling", Bound::atMost);
    scenario.local("origin_share", stack, unused -> share(run), below(0.5));
    for (String kind : TIMED) {
      Samples ofKind = seen.kind(kind);
      scenario.gate().measured(kind + "_p50_millis", ofKind.percentile(50));
      scenario.gate().measured(kind + "_p95_millis", ofKind.percentile(95));
      scenario.percentiles(false, "latency by kind", kind, ofKind);
    }
    scenario.chart(run, false, "behind Sluice");
  }

  /** All of these are of a type; none at all is for a mix of one's own. */
  private static void are(Scenario scenario, String key, Samples samples, String type) {
    if (samples.count() == 0) {
      scenario.gate().measured(key, "off: storefront.csv asks for none");
      return;
    }
    scenario.seen(
        key,
        samples.where(sample -> sample.contentType().startsWith(type)).count(),
        exactly(samples.count()));
  }

  private static double share(Run run) {
    return run.counted().orElseThrow().requests() / (double) run.samples().count();
  }
}
