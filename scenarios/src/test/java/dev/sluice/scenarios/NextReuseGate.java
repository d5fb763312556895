package dev.sluice.scenarios;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import dev.sluice.scenarios.ReusingStorefront.Reuse;
import dev.sluice.scenarios.StreamedPage.Arrivals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a real Next.js application is spared when its answers are shared, by its own count: renders
 * of a crowd, of the router's payload beside the document, and of the prefetches of a page view.
 */
final class NextReuseGate {

  private static final int CROWD = 24;
  private static final int EACH = 8;

  /** Readers who come when the shell is there already. */
  private static final int LATE = 8;

  private static final String DYNAMIC = "/products/[id]";
  private static final String STREAMED = "/stream";

  /** What {@code /stream} waits. */
  private static final int SLOW_REGION_AFTER_MILLIS = 800;

  /**
   * The slow region is a little less than its wait behind the shell of those who board late; the
   * rest is room for a busy machine. A page that came whole would be at 0.
   */
  private static final int SHELL_AHEAD_MILLIS_OVER = 100;

  private static final int PATIENCE_SECONDS = 60;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  // COA-01, NXT-21, SHR-09
  @Test
  void crowd_onADynamicPageThatIsOverridden_isOneRender() {
    claim("next-reuse-crowd", "A crowd on a dynamic page whose answer is kept is one render.")
        .given("crowd", CROWD)
        .given("crowds", 2)
        .judge(
            gate -> {
              gate.control("renders", rendersOfTwoCrowds(gate, Reuse.OFF), exactly(2 * CROWD));
              gate.measured("renders", rendersOfTwoCrowds(gate, Reuse.ON), exactly(1));
            });
  }

  private static int rendersOfTwoCrowds(Gate gate, Reuse reuse) throws Exception {
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      List<RawResponse> answers = new ArrayList<>();
      for (int crowd = 0; crowd < 2; crowd++) {
        answers.addAll(Visits.atOnce(shop.port(), Visits.get("/products/7"), CROWD));
      }
      mustBeDocuments(answers);
      return shop.stats().renders(DYNAMIC);
    }
  }

  // COA-01, SHR-15, DEC-09
  @Test
  void crowd_onAPageThatMayOnlyBeCoalesced_isOneRender_andTheNextClientsIsAnother() {
    claim("next-reuse-coalesced", "A crowd on a page that is not kept is one render in flight.")
        .given("crowd", CROWD)
        .judge(
            gate -> {
              Coalesced off = coalesced(gate, Reuse.OFF);
              gate.control("renders", off.ofTheCrowd(), exactly(CROWD));
              gate.control("renders_after_one_more", off.afterOneMore(), exactly(CROWD + 1));
              Coalesced on = coalesced(gate, Reuse.ON);
              gate.measured("renders", on.ofTheCrowd(), exactly(1));
              gate.measured("renders_after_one_more", on.afterOneMore(), exactly(2));
            });
  }

  private record Coalesced(int ofTheCrowd, int afterOneMore) {}

  private static Coalesced coalesced(Gate gate, Reuse reuse) throws Exception {
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      mustBeDocuments(Visits.atOnce(shop.port(), Visits.get(STREAMED), CROWD));
      int ofTheCrowd = shop.stats().renders(STREAMED);
      mustBeDocuments(Visits.atOnce(shop.port(), Visits.get(STREAMED), 1));
      return new Coalesced(ofTheCrowd, shop.stats().renders(STREAMED));
    }
  }

  // NXT-01, NXT-02, KEY-16; field cases K
  @Test
  void documentAndPayload_ofOneUrl_areNeverMixed() {
    claim("next-reuse-rsc", "The router's payload and the document of one URL are never mixed.")
        .given("orders", "document first, payload first, at once")
        .given("requests_of_each", EACH)
        .judge(
            gate -> {
              Mixture off = documentsAndPayloads(gate, Reuse.OFF);
              gate.control("mixed", off.mixed(), exactly(0));
              gate.control("renders", off.renders(), exactly(3 * 2 * EACH));
              Mixture on = documentsAndPayloads(gate, Reuse.ON);
              gate.measured("mixed", on.mixed(), exactly(0));
              gate.measured("renders", on.renders(), exactly(3 * 2));
              gate.measured("redirects_by_the_origin", on.redirects(), exactly(0));
            });
  }

  private record Mixture(int mixed, int renders, int redirects) {}

  private static Mixture documentsAndPayloads(Gate gate, Reuse reuse) throws Exception {
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      int mixed = 0;
      for (boolean payloadFirst : new boolean[] {false, true}) {
        String path = payloadFirst ? "/products/12" : "/products/11";
        mixed += mixed(path, payloadFirst, Visits.inTurn(shop.port(), pairs(path, payloadFirst)));
      }
      String path = "/products/13";
      mixed += mixed(path, false, Visits.atOnce(shop.port(), pairs(path, false)));
      return new Mixture(mixed, shop.stats().renders(DYNAMIC), shop.stats().rscRedirects());
    }
  }

  /** One and the other kind in turn. */
  private static List<String> pairs(String path, boolean payloadFirst) {
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      requests.add(Visits.get(path));
      requests.add(RouterRequest.navigation(path, "", "").text());
      if (payloadFirst) {
        Collections.swap(requests, requests.size() - 1, requests.size() - 2);
      }
    }
    return requests;
  }

  private static int mixed(String path, boolean payloadFirst, List<RawResponse> answers) {
    Pattern product = Pattern.compile("[A-Z][a-z]+ " + path.substring(path.lastIndexOf('/') + 1));
    int mixed = 0;
    for (int i = 0; i < answers.size(); i++) {
      RawResponse answer = answers.get(i);
      boolean payload = i % 2 == (payloadFirst ? 0 : 1);
      boolean right = payload ? isPayload(answer) : isDocument(answer);
      mixed += right && product.matcher(answer.text()).find() ? 0 : 1;
    }
    return mixed;
  }

  // GTE-37, COA-04, NXT-25, BEY-01
  @Test
  void coalescedClients_getTheShellBeforeTheSlowRegion() {
    claim("next-reuse-stream", "Clients that board late still get the shell before the rest.")
        .given("page", STREAMED)
        .given("readers", 1 + LATE)
        .given("late_readers", LATE)
        .given("slow_region_after_millis", SLOW_REGION_AFTER_MILLIS)
        .judge(
            gate -> {
              Streamed off = streamed(gate, Reuse.OFF);
              gate.control("least_ahead_millis", off.leastAhead(), above(SHELL_AHEAD_MILLIS_OVER));
              gate.control("renders", off.renders(), exactly(1 + LATE));
              Streamed on = streamed(gate, Reuse.ON);
              gate.measured("last_shell_after_millis", on.lastShell());
              gate.measured("shells_in_the_first_part", on.firstParts(), exactly(LATE));
              gate.measured("least_ahead_millis", on.leastAhead(), above(SHELL_AHEAD_MILLIS_OVER));
              gate.measured("renders", on.renders(), exactly(1));
            });
  }

  /**
   * What those saw that asked when somebody else already had the shell.
   *
   * @param leastAhead of the shell before the slow region
   * @param firstParts readers whose first bytes held the shell
   */
  private record Streamed(long lastShell, long leastAhead, long firstParts, int renders) {}

  private Streamed streamed(Gate gate, Reuse reuse) throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(1 + LATE);
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      var shell = new CompletableFuture<Boolean>();
      CompletableFuture<Arrivals> first =
          CompletableFuture.supplyAsync(() -> read(shop, () -> shell.complete(true)), readers);
      CompletableFuture.anyOf(shell, first).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      List<CompletableFuture<Arrivals>> late =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> read(shop, () -> {}), readers))
              .limit(LATE)
              .toList();
      List<Arrivals> seen = new ArrayList<>();
      for (CompletableFuture<Arrivals> reader : late) {
        seen.add(reader.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      first.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return new Streamed(
          seen.stream().mapToLong(one -> one.shell().toMillis()).max().orElseThrow(),
          seen.stream().mapToLong(Arrivals::aheadMillis).min().orElseThrow(),
          seen.stream().filter(Arrivals::firstPart).count(),
          shop.stats().renders(STREAMED));
    } finally {
      readers.shutdownNow();
    }
  }

  private Arrivals read(ReusingStorefront shop, Runnable onShell) {
    try {
      return StreamedPage.read(client, shop.base(), "identity", onShell);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading", e);
    }
  }

  // BEY-24, NXT-04
  @Test
  void secondPageView_findsNineOfItsTwelveRouterRequestsStored() {
    claim("next-reuse-prefetch", "Nine of the twelve router requests of a page view are hits.")
        .given("router_requests", PageView.requests().size())
        .judge(
            gate -> {
              Views off = twoViews(gate, Reuse.OFF);
              gate.control("at_the_origin_first", off.first(), exactly(12));
              gate.control("at_the_origin_second", off.second(), exactly(12));
              gate.control("hits_second", off.hits(), exactly(0));
              Views on = twoViews(gate, Reuse.ON);
              gate.measured("at_the_origin_first", on.first(), exactly(12));
              gate.measured("at_the_origin_second", on.second(), exactly(3));
              gate.measured("hits_second", on.hits(), exactly(9));
              gate.measured("answers_that_differ", on.differ(), exactly(0));
              gate.measured("redirects_by_the_origin", on.redirects(), exactly(0));
            });
  }

  /**
   * Two views of one page.
   *
   * @param first requests of the first view that reached the origin
   * @param hits of the second view, as the client was told
   * @param differ kinds of content or status that the second view got and the first did not
   */
  private record Views(int first, int second, int hits, int differ, int redirects) {}

  private static Views twoViews(Gate gate, Reuse reuse) throws Exception {
    List<String> requests = PageView.requests().stream().map(RouterRequest::text).toList();
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      int before = linked(shop.stats());
      List<RawResponse> first = Visits.atOnce(shop.port(), requests);
      int between = linked(shop.stats());
      List<RawResponse> second = Visits.atOnce(shop.port(), requests);
      Storefront.Stats stats = shop.stats();
      int hits = 0;
      int differ = 0;
      for (int i = 0; i < requests.size(); i++) {
        RawResponse now = second.get(i);
        hits += now.header("X-Sluice").equals("HIT") ? 1 : 0;
        boolean same =
            isPayload(now)
                && now.status() == first.get(i).status()
                && (!now.header("X-Sluice").equals("HIT")
                    || now.text().equals(first.get(i).text()));
        differ += same ? 0 : 1;
      }
      return new Views(
          between - before, linked(stats) - between, hits, differ, stats.rscRedirects());
    }
  }

  /** Requests for the pages that the view links to. */
  private static int linked(Storefront.Stats stats) {
    return PageView.requests().stream()
        .map(RouterRequest::path)
        .distinct()
        .mapToInt(stats::requests)
        .sum();
  }

  // DEC-23, DEC-34, KEY-18, KEY-20
  @Test
  void variantsOfAPrerenderedPagesPayload_areOneRequest_andTheOriginTakesOurDigest() {
    claim("next-reuse-rsc-variants", "Payloads of a prerendered page are one, whoever asks.")
        .given("pages_that_ask", RouterVariants.PAGES.size())
        .judge(
            gate -> {
              Variants off = variants(gate, Reuse.OFF);
              int all = RouterVariants.requests("/about").size();
              gate.control("at_the_origin", off.atTheOrigin(), exactly(all));
              gate.control("different_payloads", off.payloads(), exactly(1));
              gate.control("redirects_of_a_wrong_digest", off.redirects(), exactly(1));
              Variants on = variants(gate, Reuse.ON);
              gate.measured("asked", all);
              gate.measured("at_the_origin", on.atTheOrigin(), exactly(1));
              gate.measured("different_payloads", on.payloads(), exactly(1));
              gate.measured("redirects_of_a_wrong_digest", on.redirects(), exactly(1));
            });
  }

  /** {@code redirects}: with one request of a wrong digest, which goes alone and whole. */
  private record Variants(int atTheOrigin, long payloads, int redirects) {}

  private static Variants variants(Gate gate, Reuse reuse) throws Exception {
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      int before = shop.stats().requests("/about");
      List<RawResponse> answers = Visits.inTurn(shop.port(), RouterVariants.requests("/about"));
      int after = shop.stats().requests("/about");
      long payloads =
          answers.stream()
              .map(answer -> isPayload(answer) ? answer.text() : "no payload: " + answer.head())
              .distinct()
              .count();
      Visits.one(shop.port(), RouterVariants.wrongDigest("/about"));
      return new Variants(after - before, payloads, shop.stats().rscRedirects());
    }
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }

  private static void mustBeDocuments(List<RawResponse> answers) {
    for (RawResponse answer : answers) {
      if (!isDocument(answer) || !answer.text().endsWith("</html>")) {
        throw new AssertionError("no whole document: " + answer.head() + answer.text());
      }
    }
  }

  private static boolean isDocument(RawResponse answer) {
    return answer.status() == 200
        && answer.header("Content-Type").startsWith("text/html")
        && answer.text().startsWith("<!DOCTYPE html>");
  }

  private static boolean isPayload(RawResponse answer) {
    return answer.status() == 200
        && answer.header("Content-Type").startsWith("text/x-component")
        && !answer.text().contains("<!DOCTYPE");
  }
}
