package dev.sluice.governor.classify;

import dev.sluice.governor.classify.Classification.AnsweredHere;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Classification.Refused;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.http.WebSocketHandshake;
import org.jspecify.annotations.Nullable;

/**
 * Says what a request is and what may be done with it, from its head and the routes alone.
 * Immutable, so thread-safe; a request costs the objects it returns.
 */
public final class Classifier {

  private final boolean nextjs;
  private final RouteTable routes;
  private final HostTable hosts;
  private final boolean upgrades;

  public Classifier(ClassifySettings settings) {
    this.nextjs = settings.framework() == Framework.NEXTJS;
    this.routes = new RouteTable(settings.routes());
    this.hosts = new HostTable(settings.hosts());
    this.upgrades = settings.upgrades();
  }

  /** Classifies one request. */
  public Classification classify(RequestHead head) {
    MethodKind method = MethodKind.of(head.method());
    boolean rsc = nextjs && NextSignals.isRsc(head.headers());
    Refusal refusal = refusal(head, method);
    if (refusal != null) {
      return new Refused(refusal, audience(head.headers(), method, rsc));
    }
    return head.target().isAsterisk() ? AnsweredHere.NO_CONTENT : classified(head, method, rsc);
  }

  private @Nullable Refusal refusal(RequestHead head, MethodKind method) {
    if (method == MethodKind.REFUSED) {
      return Refusal.METHOD;
    }
    if (!hosts.serves(head.authority())) {
      return Refusal.HOST;
    }
    if (head.target().isAsterisk() && method != MethodKind.OPTIONS) {
      return Refusal.ASTERISK;
    }
    return !upgrades && WebSocketHandshake.isAskedBy(head) ? Refusal.UPGRADE : null;
  }

  private Classified classified(RequestHead head, MethodKind method, boolean rsc) {
    Target target = head.target();
    Route route = target.ambiguous() ? Route.IMPLICIT : routes.find(target.path());
    if (upgrades && WebSocketHandshake.isAskedBy(head)) {
      return upgrade(route);
    }
    boolean draft = nextjs && DraftCookies.isPresent(head.headers());
    boolean prefetch = method == MethodKind.READ && isPrefetch(head.headers(), rsc);
    Ground ground = ground(route, method, target, draft);
    Treatment treatment = treatment(route, ground, prefetch);
    RequestClass requestClass =
        method == MethodKind.READ
            ? readClass(head, treatment, draft, prefetch, rsc)
            : writeClass(method);
    return new Classified(
        route, requestClass, treatment, audience(head.headers(), method, rsc), rsc);
  }

  /** PRX-17, PRX-18: whatever the route says of its other requests. */
  private static Classified upgrade(Route route) {
    Treatment treatment =
        Treatment.of(
            RouteClass.PRIVATE_DYNAMIC, PermitKind.UPGRADE, route.priority(), Ground.UPGRADE);
    return new Classified(route, RequestClass.UPGRADE, treatment, Audience.PLAIN, false);
  }

  private boolean isPrefetch(Headers headers, boolean rsc) {
    return (nextjs && NextSignals.isPrefetch(headers, rsc)) || NextSignals.isSpeculative(headers);
  }

  /** The first rule that says how to treat the request; all but the last two make it private. */
  private Ground ground(Route route, MethodKind method, Target target, boolean draft) {
    if (target.ambiguous()) {
      return Ground.AMBIGUOUS_TARGET;
    }
    RouteClass declared = route.routeClass();
    if (method != MethodKind.READ) {
      boolean keeps = declared == RouteClass.STREAMING && method != MethodKind.UNKNOWN;
      return keeps ? Ground.ROUTE : Ground.METHOD;
    }
    // DEC-43: the cookies of a static request count for nothing. A stream is nobody else's anyway.
    if (!nextjs || declared == RouteClass.STATIC || declared == RouteClass.STREAMING) {
      return Ground.ROUTE;
    }
    // Whoever names the path in a route of its own decides about it; a catch-all does not.
    if (route.isCatchAll() && target.path().startsWith(NextSignals.STATIC_PREFIX)) {
      return Ground.STATIC_PATH;
    }
    if (draft) {
      return Ground.DRAFT_COOKIE;
    }
    return InternalFields.hasInternalParameter(target) ? Ground.INTERNAL_PARAMETER : Ground.ROUTE;
  }

  private static Treatment treatment(Route route, Ground ground, boolean prefetch) {
    boolean asDeclared = ground == Ground.ROUTE || ground == Ground.STATIC_PATH;
    RouteClass effective = asDeclared ? route.routeClass() : RouteClass.PRIVATE_DYNAMIC;
    PermitKind kind =
        ground == Ground.STATIC_PATH || effective == RouteClass.STATIC
            ? PermitKind.STATIC
            : effective == RouteClass.STREAMING ? PermitKind.STREAMING : PermitKind.RENDER;
    // N05: anybody can send a draft's cookie, so it goes ahead of nobody, and low's ceiling is its.
    boolean low = prefetch || ground == Ground.DRAFT_COOKIE;
    return Treatment.of(effective, kind, low ? Priority.LOW : route.priority(), ground);
  }

  private RequestClass readClass(
      RequestHead head, Treatment treatment, boolean draft, boolean prefetch, boolean rsc) {
    if (treatment.permitKind() == PermitKind.STATIC) {
      return RequestClass.STATIC_ASSET;
    }
    if (draft) {
      return RequestClass.DRAFT;
    }
    if (nextjs && head.target().path().equals(NextSignals.IMAGE_PATH)) {
      return RequestClass.IMAGE;
    }
    if (prefetch) {
      return RequestClass.PREFETCH;
    }
    if (rsc) {
      return RequestClass.RSC_PAYLOAD;
    }
    if (treatment.permitKind() == PermitKind.STREAMING || !isDocument(head.headers())) {
      return RequestClass.OTHER;
    }
    return treatment.effectiveClass().isPublic()
        ? RequestClass.PUBLIC_DOCUMENT
        : RequestClass.PRIVATE_DOCUMENT;
  }

  private static RequestClass writeClass(MethodKind method) {
    return method == MethodKind.OPTIONS ? RequestClass.OTHER : RequestClass.MUTATION;
  }

  /** A browser says what it fetches for; of others, whoever would take HTML is given a document. */
  private boolean isDocument(Headers headers) {
    if (nextjs && headers.has(FieldName.X_NEXTJS_DATA)) {
      return false;
    }
    String destination = headers.first(FieldName.SEC_FETCH_DEST);
    if (destination != null) {
      return switch (destination) {
        case "document", "iframe", "frame", "object", "embed" -> true;
        default -> false;
      };
    }
    int accepted = AcceptedTypes.of(headers);
    return (accepted & AcceptedTypes.HTML) != 0
        || (accepted & (AcceptedTypes.ANY | AcceptedTypes.JSON)) == AcceptedTypes.ANY;
  }

  private Audience audience(Headers headers, MethodKind method, boolean rsc) {
    boolean read = method == MethodKind.READ;
    if (read && nextjs && NextSignals.isPrefetch(headers, rsc)) {
      return Audience.PREFETCH;
    }
    // A browser that looks ahead shows nobody a page, and must not take a 204 for the document.
    if (rsc || (read && NextSignals.isSpeculative(headers))) {
      return Audience.PLAIN;
    }
    String mode = read ? headers.first(FieldName.SEC_FETCH_MODE) : null;
    if (mode != null && mode.equals("navigate")) {
      return Audience.NAVIGATION;
    }
    int accepted = AcceptedTypes.of(headers);
    if (read && mode == null && isHtmlAndNoJson(accepted)) {
      return Audience.NAVIGATION;
    }
    return (accepted & AcceptedTypes.JSON) != 0 ? Audience.JSON : Audience.PLAIN;
  }

  private static boolean isHtmlAndNoJson(int accepted) {
    return (accepted & (AcceptedTypes.HTML | AcceptedTypes.JSON)) == AcceptedTypes.HTML;
  }
}
