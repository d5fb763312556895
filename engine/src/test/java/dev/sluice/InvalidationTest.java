package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unsafe requests end what is stored of their target (RFC 9111 4.4). */
class InvalidationTest {

  @RegisterExtension static final Running running = new Running();

  private HeldOrigin origin;
  private Visitors visitors;

  @BeforeEach
  void start() {
    origin = running.closing(HeldOrigin.start(InvalidationTest::answer));
    ProxyFile file =
        Visitors.site(
            "{ id: account, match: \"/account/**\", class: private_dynamic }",
            "{ id: shop, match: \"/**\", class: public_ssr }");
    visitors = new Visitors(running, running.proxy(origin.port(), file));
  }

  /** An unsafe request is answered as its fields say; a page is fresh for a minute. */
  private static String answer(HeldOrigin.Asked asked) {
    String body = asked.method() + " " + asked.number();
    if (asked.method().equals("GET")) {
      return HeldOrigin.ok("Cache-Control: max-age=60", body);
    }
    String status = asked.field("X-Status");
    return HeldOrigin.answer(
        status.isEmpty() ? "200 OK" : status + " Said", asked.field("X-Told"), body);
  }

  private String cache(String target) {
    return visitors.get(target).header("X-Sluice");
  }

  private void warm(String... targets) {
    for (String target : targets) {
      visitors.get(target);
      assertThat(cache(target)).as(target).isEqualTo("HIT");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST,200,MISS",
    "PUT,204,MISS",
    "PATCH,303,MISS",
    "DELETE,200,MISS",
    "MKCOL,201,MISS",
    "POST,400,HIT",
    "POST,404,HIT",
    "DELETE,500,HIT",
    "OPTIONS,200,HIT"
  })
  void answerThatIsNoError_endsWhatWasStored(String method, String status, String then) {
    warm("/a?q=1", "/a", "/a/b");

    visitors.ask(method, "/a?other=1", "X-Status: " + status).readAll();

    assertThat(cache("/a")).isEqualTo(then);
    assertThat(cache("/a?q=1")).isEqualTo(then);
    assertThat(cache("/a/b")).isEqualTo("HIT");
  }

  @ParameterizedTest
  @CsvSource({
    "Location: /b,MISS",
    "Content-Location: /b?x=1,MISS",
    "Location: http://a.example/b,MISS",
    "Location: http://A.EXAMPLE:80/b#part,MISS",
    "Location: //a.example/b,MISS",
    "Location: b,MISS",
    "Location: http://a.example:8080/b,HIT",
    "Location: http://b.example/b,HIT",
    "Location: //b.example/b,HIT",
    "Location: mailto:b,HIT",
    "Link: </b>; rel=next,HIT"
  })
  void whatTheAnswerNames_goesToo_ifItIsOfTheSameOrigin(String told, String then) {
    warm("/b");

    visitors.ask("POST", "/a", "X-Told: " + told).readAll();

    assertThat(cache("/b")).isEqualTo(then);
  }

  /** Who has written reads what was written, and not what was on its way before. */
  @Test
  void answerUnderWay_isNotBoardedAfterTheWrite_norKept() {
    origin.hold();
    RawClient write = visitors.ask("POST", "/a");
    origin.awaitRequests(1);
    RawClient before = visitors.ask("GET", "/a");
    origin.awaitRequests(2);
    origin.releaseOne();
    assertThat(write.readAll().text()).isEqualTo("POST 0");

    RawClient after = visitors.ask("GET", "/a");
    origin.awaitRequests(3);
    origin.release();

    assertThat(before.readAll().text()).isEqualTo("GET 1");
    assertThat(after.readAll().text()).isEqualTo("GET 2");
    visitors.awaitIdle();
    assertThat(visitors.get("/a").text()).isEqualTo("GET 2");
    assertThat(cache("/a")).isEqualTo("HIT");
  }

  @Test
  void privateRoute_touchesNothing() {
    warm("/b");

    visitors.ask("POST", "/account/b", "X-Told: Location: /b").readAll();

    assertThat(cache("/b")).isEqualTo("HIT");
    assertThat(visitors.sluice().status().cache().purges()).isZero();
  }
}
