package dev.sluice.governor.judge;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.http.FieldName;
import dev.sluice.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * What the judge must know of the request that the origin got. Immutable.
 *
 * @param effectiveClass the class that sharing goes by
 * @param rsc whether the framework's payload was asked for instead of the document
 * @param prefetch whether the request only looks ahead
 * @param path the normalized path
 * @param coding the one content coding that was asked for, in lower case; null = identity only
 * @param wholeRequest whether the lead's request went out as it came, so that what is not in the
 *     key reached the origin (DEC-34)
 * @param originGotCookies whether a Cookie field was among it
 */
public record Asked(
    RouteClass effectiveClass,
    RequestClass requestClass,
    boolean rsc,
    boolean prefetch,
    String path,
    @Nullable String coding,
    boolean wholeRequest,
    boolean originGotCookies) {

  /**
   * Of a request that was made for many.
   *
   * @param sent what the origin gets
   * @param whole whether that is the lead's request as it came
   */
  public static Asked of(Classified classified, RequestHead sent, boolean whole) {
    String coding = sent.headers().first(FieldName.ACCEPT_ENCODING);
    return new Asked(
        classified.effectiveClass(),
        classified.requestClass(),
        classified.rsc(),
        classified.prefetch(),
        sent.target().path(),
        coding == null || coding.equals("identity") ? null : coding,
        whole,
        sent.headers().has(FieldName.COOKIE));
  }

  /** Whether files are asked for, which only their own word can make shareable (DEC-43). */
  boolean isStatic() {
    return effectiveClass == RouteClass.STATIC;
  }
}
