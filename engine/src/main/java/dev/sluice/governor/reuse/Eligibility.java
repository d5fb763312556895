package dev.sluice.governor.reuse;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.http.FieldName;
import dev.sluice.http.RequestHead;
import dev.sluice.outcome.BypassReason;
import org.jspecify.annotations.Nullable;

/** What in a request forbids to share, whatever the origin would say. Stateless. */
final class Eligibility {

  private Eligibility() {}

  /** The first barrier, or null. */
  static @Nullable BypassReason barrier(
      RequestHead head, Classified classified, KeyPlan plan, KeyWriter writer) {
    BypassReason classes = byClass(head, classified);
    return classes == null ? byFields(head, classified.route().share(), plan, writer) : classes;
  }

  private static @Nullable BypassReason byClass(RequestHead head, Classified classified) {
    if (!head.method().equals("GET") && !head.isHead()) {
      return BypassReason.METHOD;
    }
    // The target URI of a request without Host is not known (RFC 9112 3.3).
    if (head.target().ambiguous() || head.target().isAsterisk() || head.authority().isEmpty()) {
      return BypassReason.AMBIGUOUS_TARGET;
    }
    if (!classified.route().routeClass().isPublic()) {
      return BypassReason.PRIVATE_ROUTE;
    }
    if (!classified.route().share().isOn()) {
      return BypassReason.REUSE_OFF;
    }
    return switch (classified.treatment().ground()) {
      case DRAFT_COOKIE -> BypassReason.DRAFT;
      case INTERNAL_PARAMETER -> BypassReason.INTERNAL_PARAMETER;
      case AMBIGUOUS_TARGET -> BypassReason.AMBIGUOUS_TARGET;
      case METHOD -> BypassReason.METHOD;
      case UPGRADE -> BypassReason.UPGRADE;
      case ROUTE, STATIC_PATH ->
          classified.effectiveClass().isPublic() ? null : BypassReason.PRIVATE_ROUTE;
    };
  }

  private static @Nullable BypassReason byFields(
      RequestHead head, SharePolicy share, KeyPlan plan, KeyWriter writer) {
    if (head.headers().has(FieldName.AUTHORIZATION)) {
      return BypassReason.AUTHORIZATION;
    }
    if (head.hasBody()) {
      return BypassReason.REQUEST_BODY;
    }
    boolean cookiesCount = !plan.isStatic() && !share.cookies().assertPublic();
    return cookiesCount && plan.cookies().counts(head.headers(), writer.value())
        ? BypassReason.COOKIE
        : null;
  }

  /**
   * Whether the request's {@code _rsc} goes with its own selector fields (DEC-34). The origin sends
   * one that does not to another URL, and an answer under our own {@code _rsc} would not be that.
   */
  static boolean rscFits(RequestHead head, boolean rsc, KeyWriter writer) {
    QueryPairs pairs = writer.query();
    if (!rsc) {
      return pairs.rscPairs() == 0;
    }
    return pairs.rscPairs() == 1
        && writer
            .rsc()
            .fits(head.target().query(), pairs.rscStart(), pairs.rscEnd(), head.headers());
  }
}
