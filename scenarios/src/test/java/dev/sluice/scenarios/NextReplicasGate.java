package dev.sluice.scenarios;

import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import dev.sluice.scenarios.ReusingStorefront.Reuse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * One Sluice before three servers of one Next.js build: what is rendered once is rendered by one of
 * them, and what is not alike is shared among them, by their counters together.
 */
final class NextReplicasGate {

  private static final int REPLICAS = 3;
  private static final int CROWD = 24;
  private static final int PAGES = 24;
  private static final String KEPT = "/products/[id]";
  private static final String STREAMED = "/stream";

  // GTE-30, GTE-31, GTE-32, COA-01, ORG-02
  @Test
  void threeReplicas_renderACrowdsPageOnce_andShareDistinctPages() {
    Gate.claim(
            "next-replicas",
            "A crowd on one page is one render of three servers, and each has its share of others.",
            RepoRoot.path())
        .given("replicas", REPLICAS)
        .given("crowd", CROWD)
        .given("distinct_pages", PAGES)
        .judge(
            gate -> {
              Replicas replicas = Replicas.start(gate, REPLICAS);
              try (replicas) {
                try (SluiceProcess sluice = ReusingStorefront.before(replicas.all(), Reuse.OFF)) {
                  Rendered streamed = crowd(replicas, sluice, STREAMED, "/stream");
                  gate.control("renders", streamed.renders(), exactly(CROWD));
                  gate.control("replicas_that_rendered", streamed.replicas(), exactly(REPLICAS));
                  Rendered kept = crowd(replicas, sluice, KEPT, "/products/7");
                  gate.control("renders_of_a_page_that_is_kept", kept.renders(), exactly(CROWD));
                }
                try (SluiceProcess sluice = ReusingStorefront.before(replicas.all(), Reuse.ON)) {
                  Rendered streamed = crowd(replicas, sluice, STREAMED, "/stream");
                  gate.measured("renders", streamed.renders(), exactly(1));
                  gate.measured("replicas_that_rendered", streamed.replicas(), exactly(1));
                  Rendered kept = crowd(replicas, sluice, KEPT, "/products/7");
                  gate.measured("renders_of_a_page_that_is_kept", kept.renders(), exactly(1));
                  Rendered distinct = distinct(replicas, sluice);
                  gate.measured("renders_of_distinct_pages", distinct.renders(), exactly(PAGES));
                  gate.measured(
                      "replicas_that_rendered_them", distinct.replicas(), exactly(REPLICAS));
                  gate.measured("renders_of_each", distinct.each().toString());
                }
                gate.control("servers_before_the_end", replicas.alive(), exactly(REPLICAS));
              }
              gate.measured("servers_left", replicas.alive(), exactly(0));
            });
  }

  /** Renders that were counted, by each server for itself. */
  private record Rendered(List<Integer> each) {

    static Rendered between(List<Integer> before, List<Integer> after) {
      return new Rendered(
          IntStream.range(0, before.size()).mapToObj(i -> after.get(i) - before.get(i)).toList());
    }

    int renders() {
      return each.stream().mapToInt(Integer::intValue).sum();
    }

    long replicas() {
      return each.stream().filter(renders -> renders > 0).count();
    }
  }

  private static Rendered crowd(Replicas replicas, SluiceProcess sluice, String page, String path)
      throws Exception {
    List<Integer> before = replicas.renders(page);
    mustBeDocuments(Visits.atOnce(sluice.port(), Visits.get(path), CROWD));
    return Rendered.between(before, replicas.renders(page));
  }

  private static Rendered distinct(Replicas replicas, SluiceProcess sluice) throws Exception {
    List<Integer> before = replicas.renders(KEPT);
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < PAGES; i++) {
      requests.add(Visits.get("/products/" + (100 + i)));
    }
    mustBeDocuments(Visits.inTurn(sluice.port(), requests));
    return Rendered.between(before, replicas.renders(KEPT));
  }

  private static void mustBeDocuments(List<RawResponse> answers) {
    for (RawResponse answer : answers) {
      if (answer.status() != 200 || !answer.text().endsWith("</html>")) {
        throw new AssertionError("no whole document: " + answer.head() + answer.text());
      }
    }
  }
}
