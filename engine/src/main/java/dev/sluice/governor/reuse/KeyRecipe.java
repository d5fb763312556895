package dev.sluice.governor.reuse;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.reuse.Selection.Alone;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.outcome.BypassReason;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a request may share, and renders its key; one for each generation. Immutable, so
 * thread-safe; what a rendering needs besides is the caller's {@link KeyWriter}.
 *
 * <p>A key is, in this order: version, form of the request, scheme, GET (for HEAD, too), host, raw
 * path; the query's pairs, the deployment, the framework's variant, the class of crawler, the
 * coding, request fields; and behind a mark the fields that responses were seen to vary by. {@link
 * KeyParts} reads it back, so keys are equal only where all of that is (KEY-23).
 */
public final class KeyRecipe {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final Map<BypassReason, Alone> ALONE = alone();

  private final List<String> encodings;
  private final String deploymentId;
  private final IdentityHashMap<Route, KeyPlan> plans = new IdentityHashMap<>();

  public KeyRecipe(ReuseSettings reuse, ClassifySettings classify) {
    this.encodings =
        reuse.encodings().stream().map(coding -> coding.toLowerCase(Locale.ROOT)).toList();
    this.deploymentId = reuse.deploymentId();
    for (Route route : classify.routes()) {
      plans.put(route, KeyPlan.of(route, classify.framework()));
    }
    plans.put(Route.IMPLICIT, KeyPlan.of(Route.IMPLICIT, classify.framework()));
  }

  /**
   * Judges one request and renders its key.
   *
   * @param scheme as we saw it; whatever is not https is http (KEY-04)
   * @param classified by this generation's classifier
   */
  public Selection select(
      RequestHead head,
      String scheme,
      Classified classified,
      VaryNamesInForce names,
      KeyWriter writer) {
    KeyPlan plan = plan(classified.route());
    BypassReason barrier = Eligibility.barrier(head, classified, plan, writer);
    if (barrier != null) {
      return alone(barrier);
    }
    writer.query().read(head.target().query(), plan.query());
    boolean nextjs = plan.variant() != KeyPlan.Variant.NONE;
    if (nextjs && !Eligibility.rscFits(head, classified.rsc(), writer)) {
      return alone(BypassReason.RSC_MISMATCH);
    }
    int coding =
        plan.whole()
            ? Negotiation.IDENTITY
            : Negotiation.coding(head.headers(), encodings, writer.value());
    if (coding == Negotiation.REFUSED) {
      return alone(BypassReason.IDENTITY_REFUSED);
    }
    boolean image = nextjs && classified.requestClass() == RequestClass.IMAGE;
    writer.begin();
    resource(head, scheme.equals("https"), plan, writer);
    if (nextjs) {
      variant(head.headers(), classified.rsc(), image, plan, writer);
    }
    if (!plan.whole()) {
      writer.octet(KeyParts.CODING);
      writer.text(coding < 0 ? KeyParts.IDENTITY : encodings.get(coding));
      writer.end();
    }
    fields(plan.fields(), head.headers(), image, writer);
    return secondLevel(head, classified.route(), plan, image, names, writer);
  }

  private KeyPlan plan(Route route) {
    KeyPlan plan = plans.get(route);
    if (plan == null) {
      throw new IllegalArgumentException("route " + route.id() + " is not of this generation");
    }
    return plan;
  }

  private static Alone alone(BypassReason reason) {
    Alone alone = ALONE.get(reason);
    return alone == null ? new Alone(reason) : alone;
  }

  private void resource(RequestHead head, boolean https, KeyPlan plan, KeyWriter out) {
    out.octet(KeyParts.VERSION);
    out.octet(plan.whole() ? KeyParts.WHOLE : KeyParts.BUILT);
    out.octet(https ? KeyParts.HTTPS : KeyParts.HTTP);
    out.octet(KeyParts.GET);
    host(head.authority(), https ? HTTPS_PORT : HTTP_PORT, out);
    out.end();
    Target target = head.target();
    int mark = Lexis.find(target.raw(), '?', 0, target.raw().length());
    out.text(target.raw(), 0, mark);
    out.end();
    query(target, plan, out);
    if (!deploymentId.isEmpty()) {
      out.octet(KeyParts.DEPLOYMENT);
      out.text(deploymentId);
      out.end();
    }
  }

  /** The one spelling of a well-formed authority (field case C13), as Authority.normalized. */
  private static void host(String authority, int defaultPort, KeyWriter out) {
    int length = authority.length();
    int colon =
        authority.charAt(0) == '['
            ? Lexis.find(authority, ']', 0, length) + 1
            : Lexis.find(authority, ':', 0, length);
    int hostEnd = Math.min(colon, length);
    boolean dot = hostEnd > 0 && authority.charAt(hostEnd - 1) == '.';
    out.lowerText(authority, 0, dot ? hostEnd - 1 : hostEnd);
    if (hostEnd + 1 < length) {
      int port = 0;
      for (int i = hostEnd + 1; i < length; i++) {
        port = port * 10 + authority.charAt(i) - '0';
      }
      if (port != defaultPort) {
        out.octet(':');
        out.number(port);
      }
    }
  }

  /** {@code /a?} is not {@code /a}; but a query of which nothing is left is none. */
  private static void query(Target target, KeyPlan plan, KeyWriter out) {
    QueryPairs pairs = out.query();
    boolean bareMark =
        target.hasQuery() && target.query().isEmpty() && plan.query().takesBareMark();
    if (pairs.count() > 0 || bareMark) {
      out.octet(KeyParts.QUERY);
      pairs.write(target.query(), out);
      out.end();
    }
  }

  private static void variant(
      Headers headers, boolean rsc, boolean image, KeyPlan plan, KeyWriter out) {
    out.octet(
        plan.variant() == KeyPlan.Variant.PRERENDERED ? KeyParts.PRERENDERED : KeyParts.DYNAMIC);
    out.end();
    // The optimizer does not look at who asks, only at what is accepted.
    if (!image && LimitedBots.isSender(headers, out.value())) {
      out.octet(KeyParts.LIMITED_BOT);
      out.end();
    }
    if (rsc) {
      out.field(KeyPlan.RSC, "1");
    }
    for (int i = 0; i < plan.selectors().size(); i++) {
      out.fieldIfPresent(plan.selectors().get(i), headers);
    }
    if (image) {
      out.field(KeyPlan.ACCEPT, Negotiation.imageAccept(headers, out.value()));
    }
  }

  private static void fields(List<KeyField> fields, Headers headers, boolean image, KeyWriter out) {
    for (int i = 0; i < fields.size(); i++) {
      KeyField field = fields.get(i);
      if (!image || field.known() != KeyPlan.ACCEPT.known()) {
        out.field(field, headers);
      }
    }
  }

  private static Selection secondLevel(
      RequestHead head,
      Route route,
      KeyPlan plan,
      boolean image,
      VaryNamesInForce inForce,
      KeyWriter out) {
    if (out.isFull()) {
      return alone(BypassReason.KEY_TOO_LONG);
    }
    CacheKey primary = plan.whole() ? out.key() : null;
    int primaryLength = out.length();
    VaryNames names = primary == null ? inForce.ofRoute(route.id()) : inForce.ofKey(primary);
    if (!names.isEmpty()) {
      mark(out);
      learned(names.fields(), head.headers(), image, plan, out);
      primary = null;
    }
    if (out.isFull()) {
      return alone(BypassReason.KEY_TOO_LONG);
    }
    return new Keyed(primary == null ? out.key() : primary, primaryLength, route, head);
  }

  private static void learned(
      List<KeyField> fields, Headers headers, boolean image, KeyPlan plan, KeyWriter out) {
    for (int i = 0; i < fields.size(); i++) {
      if (!plan.has(fields.get(i), image)) {
        out.field(fields.get(i), headers);
      }
    }
  }

  private static void mark(KeyWriter out) {
    out.octet(KeyParts.SECOND_LEVEL);
    out.end();
  }

  /**
   * The key of an answer that varies by fields which its flight did not carry ({@link
   * VaryMemory.Fit#LEARNED}): the key that a request like the flight's, without those fields, has
   * from now on. Null where it would be too long.
   */
  public static @Nullable CacheKey keyWithout(
      Keyed flown, VaryNamesInForce inForce, KeyWriter writer) {
    VaryNames names =
        flown.isWhole() ? inForce.ofKey(flown.primary()) : inForce.ofRoute(flown.route().id());
    KeyParts parts = KeyParts.of(flown.key());
    writer.begin(flown.key(), flown.primaryLength());
    mark(writer);
    for (KeyField field : names.fields()) {
      Optional<String> sent = parts.secondLevel().get(field.lower());
      if (sent != null && sent.isPresent()) {
        writer.field(field, sent.get());
      } else if (!parts.primaryCovers(field.lower())) {
        writer.absent(field);
      }
    }
    return writer.isFull() ? null : writer.key();
  }

  private static Map<BypassReason, Alone> alone() {
    Map<BypassReason, Alone> map = new EnumMap<>(BypassReason.class);
    for (BypassReason reason : BypassReason.values()) {
      map.put(reason, new Alone(reason));
    }
    return map;
  }
}
