package dev.sluice.scenarios;

import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.browser.Browser;
import dev.sluice.fixture.browser.Exchange;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.fixture.launch.Tools;
import dev.sluice.reports.Gate;
import dev.sluice.scenarios.ReusingStorefront.Reuse;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real browser on a real Next.js application, whose operator shares all that can be shared: what
 * its router prefetches, a Server Action that visitors send, and every link that they may follow.
 */
final class NextBrowserGate {

  private static final int PREFETCHES = PageView.requests().size();
  private static final int VISITORS = 2;
  private static final String HOME = "/";

  /** How the headings begin behind the links of the home page. */
  private static final List<String> HEADINGS =
      List.of("Kettle", "Recommended", "About", "Catalog", "Account", "Basket", "Orders", "Terms");

  private static final String PRODUCT_1 = "Kettle 1";
  private static final String BASKET = "/basket";
  private static final String ACTION_RUN = "/basket action";
  private static final String FIRSTS = "42";
  private static final String SECONDS = "7";

  /** What is to be seen in {@link Shopping#shown}. */
  private static final List<List<String>> SHOWN =
      List.of(
          List.of(),
          List.of(FIRSTS),
          List.of(FIRSTS),
          List.of(),
          List.of(SECONDS),
          List.of(FIRSTS));

  @TempDir Path folder;

  // GTE-38, NXT-04, BEY-24
  @Test
  void routersPrefetches_areShared_butNoneThatHasAStateTree() {
    claim("next-browser-prefetch", "A browser's prefetches are shared where their pages may be.")
        .given("views", 2)
        .given("router_requests_of_a_view", PREFETCHES)
        .judge(
            gate -> {
              try (Browser browser = browser(gate);
                  Storefront storefront = Storefront.start(gate)) {
                Views direct = twoViews(browser, storefront.base(), storefront);
                gate.control("unlike_those_of_other_gates", direct.unknown(), exactly(0));
                gate.control("at_the_origin_first", direct.first(), exactly(PREFETCHES));
                gate.control("at_the_origin_second", direct.second(), exactly(PREFETCHES));
                try (SluiceProcess sluice =
                    ReusingStorefront.before(List.of(storefront), Reuse.ON)) {
                  Views governed = twoViews(browser, base(sluice), storefront);
                  gate.measured("at_the_origin_first", governed.first(), exactly(PREFETCHES));
                  gate.measured("at_the_origin_second", governed.second(), exactly(3));
                  gate.measured("hits", governed.hits(), exactly(9));
                  gate.measured("prefetches_with_a_state_tree", governed.withTree(), exactly(2));
                  gate.measured("of_them_hits", governed.hitsWithTree(), exactly(0));
                  gate.measured("not_payloads", governed.notPayloads(), exactly(0));
                  gate.measured("wrong_documents", wrongDocuments(sluice.port()), exactly(0));
                  gate.measured("shown_after_a_click", governed.shown(), equalTo(PRODUCT_1));
                  gate.measured("documents_of_a_view", governed.documents(), exactly(1));
                  gate.measured("complaints", governed.complaints(), equalTo(List.of()));
                }
              }
            });
  }

  /**
   * What two visitors' browsers did, one after the other; the second also follows a link.
   *
   * @param first requests of the first one's router that reached the origin
   * @param router what the routers of both asked for
   * @param shown the heading behind the link
   * @param documents of the second view, with its click
   */
  private record Views(
      int first,
      int second,
      List<Exchange> router,
      String shown,
      long documents,
      List<String> complaints) {

    /** Requests that {@link PageView} does not have. */
    long unknown() {
      List<RouterRequest> known = PageView.requests();
      return router.stream().filter(one -> !known.contains(request(one))).count();
    }

    long hits() {
      return router.stream().filter(Views::isHit).count();
    }

    long withTree() {
      return prefetchesWithTree().count();
    }

    long hitsWithTree() {
      return prefetchesWithTree().filter(Views::isHit).count();
    }

    long notPayloads() {
      return router.stream().filter(one -> !isPayload(one)).count();
    }

    /** Those that say where in the application the visitor is. */
    private Stream<Exchange> prefetchesWithTree() {
      return router.stream()
          .filter(one -> !one.asked("next-router-prefetch").isEmpty())
          .filter(one -> !one.asked("next-router-state-tree").isEmpty());
    }

    private static boolean isHit(Exchange one) {
      return one.answered("x-sluice").equals("HIT");
    }

    private static boolean isPayload(Exchange one) {
      return one.status() == 200 && one.answered("content-type").startsWith("text/x-component");
    }

    private static RouterRequest request(Exchange one) {
      return new RouterRequest(
          one.url().getPath(),
          one.asked("next-router-prefetch"),
          one.asked("next-router-segment-prefetch"),
          one.asked("next-router-state-tree"),
          one.asked("next-url"));
    }
  }

  private static Views twoViews(Browser browser, URI base, Storefront storefront)
      throws IOException, InterruptedException {
    int before = linked(storefront);
    ShopTab first = ShopTab.of(browser, base);
    first.openAndPrefetch(PageView.PATH, PREFETCHES);
    int between = linked(storefront);
    ShopTab second = ShopTab.of(browser, base);
    second.openAndPrefetch(PageView.PATH, PREFETCHES);
    int after = linked(storefront);
    List<Exchange> router = new ArrayList<>(first.router());
    router.addAll(second.router());
    String shown = second.follow("/products/1");
    List<String> complaints = new ArrayList<>(first.complaints());
    complaints.addAll(second.complaints());
    return new Views(
        between - before, after - between, router, shown, second.documents(), complaints);
  }

  /** Requests for the pages that the view links to. */
  private static int linked(Storefront storefront) throws IOException, InterruptedException {
    return linked().mapToInt(storefront.stats()::requests).sum();
  }

  private static Stream<String> linked() {
    return PageView.requests().stream().map(RouterRequest::path).distinct();
  }

  /** Pages that were prefetched, asked for as documents. */
  private static long wrongDocuments(int port) {
    return linked()
        .map(path -> Visits.one(port, Visits.get(path)))
        .filter(NextBrowserGate::isNoDocument)
        .count();
  }

  private static boolean isNoDocument(RawResponse answer) {
    return answer.status() != 200
        || !answer.header("Content-Type").startsWith("text/html")
        || !answer.text().startsWith("<!DOCTYPE html>");
  }

  // GTE-39, NXT-07, NXT-08
  @Test
  void serverAction_ofABrowser_runsOnce_andItsPageShowsWhatItDid() {
    claim("next-browser-action", "A Server Action that a browser sends runs once and is seen.")
        .given("visitors", VISITORS)
        .given("actions_each", 1)
        .judge(
            gate -> {
              try (Browser browser = browser(gate);
                  Storefront storefront = Storefront.start(gate)) {
                Shopping direct = shopping(browser, storefront.base(), storefront);
                gate.control("actions_run_for_one", direct.runForOne(), exactly(1));
                gate.control("actions_run_for_two", direct.runForTwo(), exactly(2));
                gate.control("shown", direct.shown(), equalTo(SHOWN));
                try (SluiceProcess sluice =
                    ReusingStorefront.before(List.of(storefront), Reuse.ON)) {
                  Shopping governed = shopping(browser, base(sluice), storefront);
                  String action = "POST " + Storefront.actionId();
                  gate.measured("actions_run_for_one", governed.runForOne(), exactly(1));
                  gate.measured("actions_run_for_two", governed.runForTwo(), exactly(2));
                  gate.measured("sent", governed.ids(), equalTo(List.of(action, action)));
                  gate.measured("documents_until_it_was_seen", governed.documents(), exactly(1));
                  gate.measured("shown", governed.shown(), equalTo(SHOWN));
                  gate.measured("complaints", governed.complaints(), equalTo(List.of()));
                }
              }
            });
  }

  /**
   * What two visitors did with their baskets, one after the other.
   *
   * @param shown products on the first one's page before the action, after it and once it was
   *     loaded anew; then on the second one's, before and after; then on the first one's again
   * @param sent both actions
   * @param documents that the first one's page loaded until its action was seen
   */
  private record Shopping(
      int runForOne,
      int runForTwo,
      List<List<String>> shown,
      List<Exchange> sent,
      long documents,
      List<String> complaints) {

    List<String> ids() {
      return sent.stream().map(one -> one.method() + " " + one.asked("next-action")).toList();
    }
  }

  private static Shopping shopping(Browser browser, URI base, Storefront storefront)
      throws IOException, InterruptedException {
    int before = storefront.stats().renders(ACTION_RUN);
    List<List<String>> shown = new ArrayList<>();
    ShopTab first = ShopTab.of(browser, base);
    first.open(BASKET);
    shown.add(first.basket());
    first.addToBasket(FIRSTS);
    shown.add(first.basket());
    int runForOne = storefront.stats().renders(ACTION_RUN) - before;
    List<Exchange> sent = new ArrayList<>(first.actions());
    List<String> complaints = new ArrayList<>(first.complaints());
    long documents = first.documents();
    first.open(BASKET);
    shown.add(first.basket());
    ShopTab second = ShopTab.of(browser, base);
    second.open(BASKET);
    shown.add(second.basket());
    second.addToBasket(SECONDS);
    shown.add(second.basket());
    int runForTwo = storefront.stats().renders(ACTION_RUN) - before;
    sent.addAll(second.actions());
    complaints.addAll(second.complaints());
    first.open(BASKET);
    shown.add(first.basket());
    return new Shopping(runForOne, runForTwo, shown, sent, documents, complaints);
  }

  // NXT-01, NXT-02, SHR-04, SHR-13
  @Test
  void visitorsWhoFollowEveryLink_seeEachPage_andTheirOwnSession() {
    claim("next-browser-links", "Visitors who follow every link see each page, and their session.")
        .given("visitors", VISITORS)
        .given("links", HEADINGS.size())
        .judge(
            gate -> {
              try (Browser browser = browser(gate);
                  Storefront storefront = Storefront.start(gate)) {
                Walk direct = walk(ShopTab.of(browser, storefront.base()));
                gate.control("headings", direct.headings(), equalTo(HEADINGS));
                gate.control("sessions", Set.copyOf(direct.sessions()).size(), exactly(1));
                gate.control("documents", direct.documents());
                int before = storefront.stats().renders(HOME);
                gate.control("renders_of_the_home_page", before, exactly(HEADINGS.size() + 1));
                try (SluiceProcess sluice =
                    ReusingStorefront.before(List.of(storefront), Reuse.ON)) {
                  Set<String> sessions = new HashSet<>();
                  for (int visitor = 1; visitor <= VISITORS; visitor++) {
                    Walk walk = walk(ShopTab.of(browser, base(sluice)));
                    String who = "_of_visitor_" + visitor;
                    gate.measured("headings" + who, walk.headings(), equalTo(HEADINGS));
                    gate.measured("documents" + who, walk.documents(), exactly(direct.documents()));
                    sessions.addAll(walk.sessions());
                    gate.measured("complaints" + who, walk.complaints());
                  }
                  gate.measured("sessions", sessions.size(), exactly(VISITORS));
                  int renders = storefront.stats().renders(HOME) - before;
                  gate.measured("renders_of_the_home_page", renders, exactly(1));
                }
              }
            });
  }

  /**
   * What one visitor saw of the shop.
   *
   * @param headings their first words, behind each link of the home page
   * @param documents pages that were loaded whole, because a link leads out of the router's reach
   * @param sessions that the account showed when it was opened twice
   * @param complaints also of what a click cut short
   */
  private record Walk(
      List<String> headings, long documents, List<String> sessions, List<String> complaints) {}

  private static Walk walk(ShopTab tab) throws IOException {
    List<String> headings = new ArrayList<>();
    List<String> sessions = new ArrayList<>();
    List<String> complaints = new ArrayList<>();
    long documents = 0;
    tab.open(HOME);
    for (String link : tab.links()) {
      tab.open(HOME);
      headings.add(tab.follow(link).split(" ", 2)[0]);
      documents += tab.documents();
      complaints.addAll(tab.complaints());
    }
    for (int look = 0; look < 2; look++) {
      tab.open("/account");
      sessions.add(tab.session());
    }
    return new Walk(headings, documents, sessions, complaints);
  }

  private Browser browser(Gate gate) {
    Path chromium = Tools.requireForGate("chromium", why -> gate.skip(why, Assumptions::abort));
    return Browser.start(chromium, folder.resolve("profile"));
  }

  private static URI base(SluiceProcess sluice) {
    return URI.create("http://127.0.0.1:" + sluice.port());
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }
}
