package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an unsafe request makes invalid beside its own path (RFC 9111 4.4, RFC 3986 5.2.2). */
class InvalidatedPathsTest {

  private static final RequestHead POST =
      new RequestHead(
          "POST",
          Target.ofOriginForm("/shop/cart?step=1"),
          "shop.example",
          1,
          FieldList.EMPTY,
          Framing.None.INSTANCE);

  @ParameterizedTest
  @CsvSource({
    "/other,                             /other",
    "/other?a=1,                         /other",
    "/other#part,                        /other",
    "/a/../b,                            /b",
    "next,                               /shop/next",
    "../up,                              /up",
    "next?at=12:30,                      /shop/next",
    "sub/at:noon,                        /shop/sub/at:noon",
    "http://shop.example/abs,            /abs",
    "http://shop.example:80/abs?x=1#y,   /abs",
    "HTTP://SHOP.example/abs,            /abs",
    "//shop.example/rel,                 /rel"
  })
  void reference_ofTheSameOrigin_isItsPath(String reference, String path) {
    for (String field : new String[] {"Location", "content-location"}) {
      var answer = FieldList.of(field, " " + reference + " ");
      assertThat(Invalidation.paths(POST, answer)).as(field).containsExactly("/shop/cart", path);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "#part",
        "?step=2",
        "http://other.example/abs",
        "http://shop.example:8080/abs",
        "//other.example/abs",
        "mailto:somebody@shop.example",
        "http://"
      })
  void anyOther_isNobodysPath(String reference) {
    var answer = FieldList.of("Location", reference);
    assertThat(Invalidation.paths(POST, answer)).containsExactly("/shop/cart");
  }

  @Test
  void otherFields_nameNothing() {
    var answer = FieldList.of("Link", "/other", "Content-Base", "/base");
    assertThat(Invalidation.paths(POST, answer)).containsExactly("/shop/cart");
  }

  @Test
  void bothFields_areBothMeant() {
    var answer = FieldList.of("Location", "/one", "Content-Location", "/two");
    assertThat(Invalidation.paths(POST, answer)).containsExactly("/shop/cart", "/one", "/two");
  }
}
