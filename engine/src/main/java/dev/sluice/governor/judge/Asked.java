package dev.sluice.governor.judge;

import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.RouteClass;
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

  /** Whether files are asked for, which only their own word can make shareable (DEC-43). */
  boolean isStatic() {
    return effectiveClass == RouteClass.STATIC;
  }
}
