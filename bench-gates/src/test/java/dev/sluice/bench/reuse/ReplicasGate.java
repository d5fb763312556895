package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.bench.reuse.Shop.Answer;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.reports.Gate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Two instances before one origin: what is a client's own stays so through both, each has its store
 * and its ceiling to itself, and a purge goes to each (GTE-41, SHR-17, COA-08).
 */
class ReplicasGate {

  private static final int CROWD = 20;
  private static final int CEILING = 5;
  private static final String PAGE = "/shop/page?bytes=2000" + Shop.FRESH;
  private static final String LOGIN = "/shop/login?ms=200&cookie=1" + Shop.FRESH;

  @Test
  void twoInstances_shareNothing_andBoundTheOriginTogether() {
    Shop.claim("replicas", "Two instances share nothing; their ceilings add up at the origin.")
        .given("instances", 2)
        .given("crowd_at_each", CROWD)
        .given("ceiling_of_each", CEILING)
        .judge(
            gate -> {
              try (var one = Shop.open(file("blue"));
                  var other = one.replica(file("blue"))) {
                sessions(gate, one, other);
                purges(gate, one, other);
                budget(gate, one, other);
                deployments(gate, one, other);
              }
            });
  }

  private static void sessions(Gate gate, Shop one, Shop other) {
    List<CrowdResult> shared = atBoth(one, other, "/shop/shared?ms=300" + Shop.FRESH);
    gate.control("answered_200", answered(shared), exactly(2 * CROWD));
    gate.control("renders_of_a_shared_page", one.renders(), exactly(2));

    one.origin().reset();
    List<CrowdResult> own = atBoth(one, other, LOGIN);
    Set<String> sessions = new HashSet<>();
    own.forEach(crowd -> sessions.addAll(crowd.byHeader("set-cookie").keySet()));
    gate.measured("answered_200", answered(own), exactly(2 * CROWD));
    gate.measured("sessions", sessions.size(), exactly(2 * CROWD));
    gate.measured("renders_with_a_session", one.renders(), exactly(2 * CROWD));
  }

  private static void purges(Gate gate, Shop one, Shop other) {
    Answer ones = one.fetch(PAGE);
    Answer others = other.fetch(PAGE);
    gate.measured("purge_of_one_status", one.purge("path", "/shop/page"), exactly(200));
    gate.measured("purged_one_is_new", !isTheSame(ones, one.fetch(PAGE)), equalTo(true));
    // Nobody has told the other.
    gate.control("unpurged_other_is_old", isTheSame(others, other.fetch(PAGE)), equalTo(true));
    gate.measured("purge_of_other_status", other.purge("path", "/shop/page"), exactly(200));
    gate.measured("purged_other_is_new", !isTheSame(others, other.fetch(PAGE)), equalTo(true));
  }

  private static void budget(Gate gate, Shop one, Shop other) {
    one.origin().reset();
    gate.control("answered_200_of_one", one.crowd(CROWD, LOGIN).complete(200), exactly(CROWD));
    gate.control("origin_peak_of_one", one.counted().peakInFlight(), exactly(CEILING));

    one.origin().reset();
    gate.measured("answered_200_of_both", answered(atBoth(one, other, LOGIN)), exactly(2 * CROWD));
    gate.measured("origin_peak", one.counted().peakInFlight(), exactly(2 * CEILING));
  }

  private static void deployments(Gate gate, Shop one, Shop other) {
    Answer ones = one.fetch(PAGE);
    Answer others = other.fetch(PAGE);
    one.reload(file("green"));
    gate.measured("redeployed_one_is_new", !isTheSame(ones, one.fetch(PAGE)), equalTo(true));
    gate.control("other_of_the_old_one", isTheSame(others, other.fetch(PAGE)), equalTo(true));
  }

  private static List<CrowdResult> atBoth(Shop one, Shop other, String target) {
    var beside = other.crowdBeside(CROWD, target);
    return List.of(one.crowd(CROWD, target), beside.join());
  }

  private static long answered(List<CrowdResult> crowds) {
    return crowds.stream().mapToLong(crowd -> crowd.complete(200)).sum();
  }

  private static boolean isTheSame(Answer one, Answer other) {
    return one.render().equals(other.render());
  }

  private static ShopFile file(String deployment) {
    return ShopFile.of(
            Shop.PURGED_CACHE,
            "deployment: { id: " + deployment + " }",
            "routes:",
            publicRoute("shop"))
        .origin(
            "concurrency: { max: %d, queue: { max: 100, timeout: 30s, predict: false } }"
                .formatted(CEILING));
  }
}
