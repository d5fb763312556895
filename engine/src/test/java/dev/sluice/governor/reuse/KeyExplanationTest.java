package dev.sluice.governor.reuse;

import static dev.sluice.governor.reuse.Asking.get;
import static dev.sluice.governor.reuse.Asking.head;
import static dev.sluice.governor.reuse.Asking.shop;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** BEY-07 */
class KeyExplanationTest {

  private final Asking shop = shop(Asking.vary("accept-language"));

  @Test
  void requestThatGoesAlone_hasItsReason() {
    assertThat(KeyExplanation.of(shop.select(get("/a", "Cookie", "s=1"))))
        .containsExactly(
            "shared: no (cookie)",
            "because: The request carries a cookie, and the route does not assert that it is"
                + " public.");
  }

  @Test
  void requestThatMayShare_hasItsKey_andWhatIsDropped() {
    shop.memory.learn(shop.keyed("/"), List.of("x-country"));

    assertThat(
            KeyExplanation.of(
                shop.select(
                    get(
                        "/p?b=2&a=1",
                        "Accept-Language",
                        "de",
                        "X-Other",
                        "1",
                        "User-Agent",
                        "Bingbot",
                        "Referer",
                        "r"))))
        .containsExactly(
            "shared: yes, if the answer permits",
            "key resource: http://shop.example/p?a=1&b=2",
            "key variant: nextjs, html-limited bot",
            "key coding: identity",
            "key field accept-language: de",
            "key field x-country: (absent) (learned from Vary)",
            "origin request: GET /p?a=1&b=2",
            "dropped from it: referer, x-other");
  }

  @Test
  void followersAndParts_areTold() {
    assertThat(KeyExplanation.of(shop.select(head("HEAD", "shop.example", "/"))).get(0))
        .isEqualTo("shared: yes, if the answer permits; follows a GET and never leads");
    assertThat(KeyExplanation.of(shop.select(get("/", "Range", "bytes=0-1"))).get(0))
        .isEqualTo("shared: yes, if the answer permits; alone if nothing is stored (range)");
  }
}
