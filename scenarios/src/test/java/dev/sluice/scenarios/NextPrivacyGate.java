package dev.sluice.scenarios;

import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import dev.sluice.scenarios.ReusingStorefront.Reuse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What a real Next.js application's clients never share, although their operator calls every page
 * public and overrides the origin: sessions, Server Actions and drafts.
 */
final class NextPrivacyGate {

  private static final int VISITORS = 16;
  private static final Pattern SESSION_COOKIE = Pattern.compile("session=([^;]+)");
  private static final Pattern SESSION_SHOWN = Pattern.compile("id=\"session\">([^<]*)<");
  private static final Pattern ACTION = Pattern.compile("\\$ACTION_ID_([0-9a-f]{42})");
  private static final String ACTION_RUN = "/basket action";
  private static final String DRAFT_RENDER = "/news draft";

  // SHR-04, SHR-13, SHR-12, COA-06
  @Test
  void visitorsOfAPrivatePage_eachHaveTheirOwnSessionAndRender() {
    claim("next-privacy-sessions", "Visitors of a private page share nothing on a public route.")
        .given("visitors_without_a_cookie", VISITORS)
        .given("visitors_with_a_cookie", VISITORS)
        .judge(
            gate -> {
              Sessions off = sessions(gate, Reuse.OFF);
              gate.control("renders", off.renders(), exactly(2 * VISITORS));
              gate.control("sessions", off.sessions(), exactly(2 * VISITORS));
              gate.control("renders_of_a_public_page", off.publicRenders(), exactly(VISITORS));
              Sessions on = sessions(gate, Reuse.ON);
              gate.measured("renders", on.renders(), exactly(2 * VISITORS));
              gate.measured("sessions", on.sessions(), exactly(2 * VISITORS));
              gate.measured("foreign_sessions", on.foreign(), exactly(0));
              // The same route does share: what stood in the way is each answer's own.
              gate.measured("renders_of_a_public_page", on.publicRenders(), exactly(1));
            });
  }

  /** {@code foreign}: answers that show another session than the client's. */
  private record Sessions(int renders, int sessions, int foreign, int publicRenders) {}

  private static Sessions sessions(Gate gate, Reuse reuse) throws Exception {
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      Set<String> shown = new HashSet<>();
      int foreign = 0;
      for (RawResponse answer : Visits.atOnce(shop.port(), Visits.get("/account"), VISITORS)) {
        String given = found(SESSION_COOKIE, answer.header("Set-Cookie"));
        String seen = found(SESSION_SHOWN, answer.text());
        foreign += seen.equals(given) ? 0 : 1;
        shown.add(seen);
      }
      List<String> known = new ArrayList<>();
      for (int i = 0; i < VISITORS; i++) {
        known.add(Visits.get("/account", "Cookie: session=visitor-" + i));
      }
      List<RawResponse> answers = Visits.atOnce(shop.port(), known);
      for (int i = 0; i < VISITORS; i++) {
        String seen = found(SESSION_SHOWN, answers.get(i).text());
        foreign += seen.equals("visitor-" + i) ? 0 : 1;
        shown.add(seen);
      }
      Visits.atOnce(shop.port(), Visits.get("/products/9"), VISITORS);
      Storefront.Stats stats = shop.stats();
      return new Sessions(
          stats.renders("/account"), shown.size(), foreign, stats.renders("/products/[id]"));
    }
  }

  // NXT-07, NXT-08, SHR-06
  @Test
  void serverAction_reachesTheOriginPastCacheAndFlight() {
    claim("next-privacy-action", "A Server Action on a page that is stored runs each time.")
        .given("actions", 1 + 2)
        .judge(
            gate -> {
              Actions off = actions(gate, Reuse.OFF);
              gate.control("renders_before_the_actions", off.rendersBefore(), exactly(2));
              gate.control("actions_run", off.run(), exactly(3));
              Actions on = actions(gate, Reuse.ON);
              gate.measured("renders_before_the_actions", on.rendersBefore(), exactly(1));
              gate.measured("actions_run", on.run(), exactly(3));
              gate.measured("answers_with_their_own_basket", on.baskets(), exactly(3));
              gate.measured("baskets_shown_to_others", on.shownToOthers(), exactly(0));
            });
  }

  /** {@code shownToOthers}: pages without a basket's cookie that show what is in one. */
  private record Actions(int rendersBefore, int run, int baskets, int shownToOthers) {}

  private static Actions actions(Gate gate, Reuse reuse) throws Exception {
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      String page = Visits.get("/basket");
      List<RawResponse> before = Visits.inTurn(shop.port(), List.of(page, page));
      int renders = shop.stats().renders("/basket");
      String action = action(found(ACTION, before.get(0).text()));
      List<RawResponse> acted = new ArrayList<>(Visits.atOnce(shop.port(), action, 1));
      acted.addAll(Visits.atOnce(shop.port(), action, 2));
      RawResponse after = Visits.one(shop.port(), page);
      int baskets = 0;
      for (RawResponse answer : acted) {
        boolean own = answer.header("Set-Cookie").startsWith("basket=42;");
        baskets += answer.status() == 200 && own ? 1 : 0;
      }
      return new Actions(
          renders,
          shop.stats().renders(ACTION_RUN),
          baskets,
          after.text().contains("<li>") ? 1 : 0);
    }
  }

  /** As the client's script posts a form. */
  private static String action(String id) {
    String body =
        part("1_$ACTION_ID_" + id, "")
            + part("1_product", "42")
            + part("0", "[\"$K1\"]")
            + "--b--\r\n";
    return "POST /basket HTTP/1.1\r\nHost: shop.example\r\nOrigin: http://shop.example\r\n"
        + "Accept: text/x-component\r\nnext-action: "
        + id
        + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static String part(String name, String value) {
    String field = name.equals("0") ? name : "_" + name;
    return "--b\r\nContent-Disposition: form-data; name=\"" + field + "\"\r\n\r\n" + value + "\r\n";
  }

  // NXT-10, NXT-12
  @Test
  void draft_reachesNobodyButItsEditor() {
    claim("next-privacy-draft", "Drafts and the published page never take each other's place.")
        .given("drafts", 4)
        .given("public_visits", 3)
        .judge(
            gate -> {
              Drafts off = drafts(gate, Reuse.OFF);
              gate.control("draft_renders", off.renders(), exactly(4));
              gate.control("at_the_origin", off.atTheOrigin(), exactly(4 + 3));
              gate.control("wrong_editions", off.wrong(), exactly(0));
              Drafts on = drafts(gate, Reuse.ON);
              gate.measured("draft_renders", on.renders(), exactly(4));
              gate.measured("at_the_origin", on.atTheOrigin(), exactly(4 + 1));
              gate.measured("wrong_editions", on.wrong(), exactly(0));
            });
  }

  private record Drafts(int renders, int atTheOrigin, int wrong) {}

  private static Drafts drafts(Gate gate, Reuse reuse) throws Exception {
    try (ReusingStorefront shop = ReusingStorefront.start(gate, reuse)) {
      String bypass =
          Visits.one(shop.port(), Visits.get("/api/draft")).header("Set-Cookie").split(";", 2)[0];
      String draft = Visits.get("/news", "Cookie: " + bypass);
      String published = Visits.get("/news");
      List<String> inTurn = List.of(draft, published, published, draft, published);
      int wrong = 0;
      List<RawResponse> answers = Visits.inTurn(shop.port(), inTurn);
      for (int i = 0; i < inTurn.size(); i++) {
        wrong += isEdition(answers.get(i), inTurn.get(i).equals(draft)) ? 0 : 1;
      }
      for (RawResponse answer : Visits.atOnce(shop.port(), draft, 2)) {
        wrong += isEdition(answer, true) ? 0 : 1;
      }
      Storefront.Stats stats = shop.stats();
      return new Drafts(stats.renders(DRAFT_RENDER), stats.requests("/news"), wrong);
    }
  }

  private static boolean isEdition(RawResponse answer, boolean draft) {
    return answer.status() == 200
        && answer.text().contains("unpublished draft") == draft
        && answer.text().contains("published edition") != draft;
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("nothing like " + pattern + " in: " + text);
    }
    return matcher.group(1);
  }
}
