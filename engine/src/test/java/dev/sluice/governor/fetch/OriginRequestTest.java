package dev.sluice.governor.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.InternalFields;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestOut;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OriginRequestTest {

  private static final RequestHead BUILT =
      new RequestHead(
          "GET",
          Target.ofOriginForm("/p?a=1&_rsc"),
          "shop.example",
          1,
          FieldList.of(
              "Host",
              "shop.example",
              "RSC",
              "1",
              "accept-language",
              "de",
              "Accept-Encoding",
              "gzip",
              "User-Agent",
              "x",
              "If-None-Match",
              "\"e\"",
              "Cookie",
              "a=1"),
          Framing.None.INSTANCE);

  private final OriginRequest request = new OriginRequest("sluice-1", InternalFields.names());

  private static String added(RequestOut out) {
    return new String(out.added(), StandardCharsets.US_ASCII);
  }

  // DEC-34
  @Test
  void builtRequest_passesUnchanged_withWhoAsks() {
    Peer peer =
        new Peer(
            "192.0.2.1",
            "https",
            "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n"
                .getBytes(StandardCharsets.US_ASCII),
            false);
    RequestOut out = request.of(BUILT, RouteClass.PUBLIC_SSR, peer);

    assertThat(out.head()).isSameAs(BUILT);
    assertNothingIsDropped(out);
    assertThat(added(out))
        .isEqualTo(
            "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n"
                + "X-Forwarded-Host: shop.example\r\nVia: 1.1 sluice-1\r\n");
  }

  // DEC-34, DEC-40
  @Test
  void requestOfNobody_namesNobody() {
    RequestOut out = request.ofNobody(BUILT, "https");

    assertThat(out.head()).isSameAs(BUILT);
    assertNothingIsDropped(out);
    assertThat(added(out))
        .isEqualTo(
            "X-Forwarded-Proto: https\r\nX-Forwarded-Host: shop.example\r\n"
                + "Via: 1.1 sluice-1\r\n");
  }

  private static void assertNothingIsDropped(RequestOut out) {
    assertThat(out.dropNames()).isEmpty();
    for (int i = 0; i < BUILT.headers().size(); i++) {
      FieldName known = BUILT.headers().known(i);
      assertThat(known != null && (out.drop() & known.bit()) != 0)
          .as(BUILT.headers().name(i))
          .isFalse();
      assertThat(BUILT.headers().isNamedIn(i, out.internal()))
          .as(BUILT.headers().name(i))
          .isFalse();
    }
  }
}
