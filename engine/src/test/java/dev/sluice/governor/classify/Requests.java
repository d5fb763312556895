package dev.sluice.governor.classify;

import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.List;

/** Requests and routes for tests of this package. */
final class Requests {

  static final List<Route> SHOP =
      List.of(
          route("assets", "/_next/static/**", RouteClass.STATIC, Priority.NORMAL),
          route("images", "/_next/image", RouteClass.PUBLIC_DYNAMIC, Priority.LOW),
          route("products", "/products/**", RouteClass.PUBLIC_SSR, Priority.HIGH),
          route("chat", "/api/chat", RouteClass.STREAMING, Priority.NORMAL),
          route("search", "/search", RouteClass.PUBLIC_DYNAMIC, Priority.NORMAL),
          route("rest", "/**", RouteClass.PRIVATE_DYNAMIC, Priority.NORMAL));

  private Requests() {}

  static Route route(String id, String match, RouteClass routeClass, Priority priority) {
    return new Route(id, match, routeClass, priority, 1, OnClientAbort.FINISH, RouteLimits.NONE);
  }

  static Route route(String id, String match) {
    return route(id, match, RouteClass.PUBLIC_SSR, Priority.NORMAL);
  }

  static Classifier shop(Framework framework) {
    return new Classifier(new ClassifySettings(framework, SHOP, List.of()));
  }

  static RequestHead head(String method, String target, String... fields) {
    return new RequestHead(
        method,
        Target.ofOriginForm(target),
        "shop.example",
        1,
        FieldList.of(fields),
        Framing.None.INSTANCE);
  }
}
