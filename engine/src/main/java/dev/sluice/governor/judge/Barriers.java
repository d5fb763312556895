package dev.sluice.governor.judge;

import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.VaryNames;
import dev.sluice.outcome.BypassReason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What makes an answer its asker's alone whatever a route says (SHR-12). The one setting that is
 * read here is which statuses may be stored, and that with the origin's own explicit freshness only
 * (DEC-11). Stateless.
 */
final class Barriers {

  /** Fields of the origin's request that are in no key and differ from client to client. */
  private static final Set<String> UNKEYED =
      Set.of(
          FieldName.X_FORWARDED_FOR.lower(),
          FieldName.TRACEPARENT.lower(),
          FieldName.TRACESTATE.lower());

  /** Where files lie that each build has its own of. */
  static final String BUILD_OUTPUT = "/_next/static/";

  private Barriers() {}

  /** The first barrier that stands, or null. */
  static @Nullable BypassReason standing(
      Asked asked, ResponseHead head, SharePolicy policy, OriginWord word) {
    BypassReason found = ofRequest(asked);
    if (found == null && head.headers().has(FieldName.SET_COOKIE)) {
      found = BypassReason.SET_COOKIE;
    }
    if (found == null) {
      found = ofStatus(asked, head.status(), policy, word);
    }
    if (found == null) {
      found = ofVary(asked, VaryNames.of(head.headers()));
    }
    return found == null ? ofContent(asked, head.headers()) : found;
  }

  private static @Nullable BypassReason ofRequest(Asked asked) {
    if (!asked.effectiveClass().isPublic()) {
      return BypassReason.PRIVATE_ROUTE;
    }
    if (asked.requestClass() == RequestClass.DRAFT) {
      return BypassReason.DRAFT;
    }
    boolean unsafe =
        asked.requestClass() == RequestClass.MUTATION
            || asked.requestClass() == RequestClass.UPGRADE;
    return unsafe ? BypassReason.METHOD : null;
  }

  private static @Nullable BypassReason ofStatus(
      Asked asked, int status, SharePolicy policy, OriginWord word) {
    if (status == Statuses.PARTIAL_CONTENT) {
      return BypassReason.PARTIAL;
    }
    // N10: another build's 404 must not outlive the rollout.
    boolean onlyOk = asked.isStatic() || asked.path().contains(BUILD_OUTPUT);
    boolean shareable =
        Statuses.isStorable(status)
            || (policy.cache().explicitStatuses()
                && Statuses.isFinalAndWhole(status)
                && word.isExplicitlyFresh()
                && !word.control().mustUnderstand());
    return shareable && (status == Statuses.OK || !onlyOk) ? null : BypassReason.STATUS;
  }

  private static @Nullable BypassReason ofVary(Asked asked, VaryNames vary) {
    if (vary.star()) {
      return BypassReason.VARY_STAR;
    }
    for (String name : vary.names()) {
      boolean cookies = asked.originGotCookies() && name.equals(FieldName.COOKIE.lower());
      if (cookies || UNKEYED.contains(name)) {
        return BypassReason.UNSUPPORTED_VARY;
      }
    }
    return null;
  }

  private static @Nullable BypassReason ofContent(Asked asked, Headers headers) {
    String type = ContentTypes.of(headers);
    if (ContentTypes.isEventStream(type)) {
      return BypassReason.EVENT_STREAM;
    }
    if (!asked.wholeRequest() && !isAskedFor(headers, asked.coding())) {
      return BypassReason.CODING;
    }
    boolean fits =
        ContentTypes.fitsRepresentation(type, asked.rsc())
            && (!asked.isStatic() || ContentTypes.fitsFile(type, asked.path()));
    return fits ? null : BypassReason.CONTENT_TYPE;
  }

  /** Whether the content is in no coding, or in the one that was asked for (DEC-34). */
  private static boolean isAskedFor(Headers headers, @Nullable String coding) {
    List<String> lines = headers.all(FieldName.CONTENT_ENCODING);
    if (lines.isEmpty()) {
      return true;
    }
    String sent = String.join(",", lines).strip();
    return sent.isEmpty()
        || sent.equalsIgnoreCase("identity")
        || (coding != null && (sent.equalsIgnoreCase(coding) || isOldNameOf(coding, sent)));
  }

  /** RFC 9110 8.4.1.3: x-gzip is gzip. */
  private static boolean isOldNameOf(String coding, String sent) {
    return coding.equals("gzip") && sent.equalsIgnoreCase("x-gzip");
  }
}
