package dev.sluice.governor.classify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ClassificationLawsTest {

  private static final List<Route> ROUTES =
      List.of(
          route("assets", "/_next/static/**", RouteClass.STATIC),
          route("account", "/account/**", RouteClass.PRIVATE_DYNAMIC),
          route("products", "/products/**", RouteClass.PUBLIC_SSR),
          route("rest", "/**", RouteClass.PUBLIC_DYNAMIC));

  private final Classifier classifier =
      new Classifier(new ClassifySettings(Framework.NEXTJS, ROUTES, List.of()));

  private static Route route(String id, String match, RouteClass routeClass) {
    return new Route(
        id, match, routeClass, Priority.NORMAL, 1, OnClientAbort.FINISH, RouteLimits.NONE);
  }

  private static RequestHead head(String method, String target, String... fields) {
    return new RequestHead(
        method,
        Target.ofOriginForm(target),
        "shop.example",
        1,
        FieldList.of(fields),
        Framing.None.INSTANCE);
  }

  private Classified classified(RequestHead head) {
    return (Classified) classifier.classify(head);
  }

  @Provide
  Arbitrary<String> confusing() {
    return Arbitraries.of(
            "/",
            "..",
            ".",
            "%2e%2e",
            "%2f",
            "%5c",
            "\\",
            ";a.css",
            "%00",
            "%c0%af",
            "%252f",
            "%",
            "account",
            "products",
            "_next/static",
            "x.js",
            "?a=b")
        .list()
        .ofMinSize(1)
        .ofMaxSize(10)
        .map(pieces -> "/" + String.join("/", pieces));
  }

  @Property
  void classify_ambiguousTarget_isNeverShared(@ForAll("confusing") String target) {
    RequestHead head = head("GET", target);
    Classified found = classified(head);
    if (head.target().ambiguous()) {
      assertThat(found.effectiveClass()).isEqualTo(RouteClass.PRIVATE_DYNAMIC);
      assertThat(found.permitKind()).isEqualTo(PermitKind.RENDER);
      assertThat(found.route()).isSameAs(Route.IMPLICIT);
    }
  }

  /** However a private path is spelled, it never gets a public class. */
  @Property
  void classify_privatePathInDisguise_isNeverPublic(@ForAll("disguises") String target) {
    assertThat(classified(head("GET", target)).effectiveClass().isPublic()).isFalse();
  }

  @Provide
  Arbitrary<String> disguises() {
    Arbitrary<String> way =
        Arbitraries.of(
            "/",
            "/./",
            "//",
            "/_next/static/../../",
            "/_next/static/%2e%2e/%2E./",
            "/products/../",
            "/%2e/",
            "/products/%2e%2e/");
    Arbitrary<String> name =
        Arbitraries.of("account", "%61ccount", "acco%75nt", "%61%63%63%6f%75%6e%74");
    Arbitrary<String> end =
        Arbitraries.of("", "/", "/x.css", "/%2e/x.js", ";a.css", "%2fx.css", "/..%2fx", "?a.css");
    return way.flatMap(w -> name.flatMap(n -> end.map(e -> w + n + e)));
  }

  @Property
  void classify_anyMethodAndText_doesNotThrow(
      @ForAll String method, @ForAll String target, @ForAll String value) {
    var head =
        head(method, target, "Accept", value, "Cookie", value, "RSC", value, "Upgrade", value);
    assertThat(Explanation.of(classifier.classify(head))).isNotEmpty();
  }

  @Property
  void classify_otherThanGetAndHead_isNeverPublic(
      @ForAll("methods") String method, @ForAll("confusing") String target) {
    assertThat(classified(head(method, target)).effectiveClass().isPublic()).isFalse();
  }

  @Provide
  Arbitrary<String> methods() {
    return Arbitraries.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "QUERY", "X");
  }

  @Property
  void isInternal_anyText_doesNotThrow(@ForAll String name, @ForAll String query) {
    InternalFields.names().contains(name);
    InternalFields.hasInternalParameter(Target.ofOriginForm("/p?" + query));
    assertThat(InternalFields.names().contains("X-MIDDLEWARE-" + name)).isTrue();
  }
}
