package dev.sluice.governor.fetch.attempts;

import dev.sluice.governor.classify.RequestClass;
import dev.sluice.outcome.Cause;

/** What the end of one attempt says of its upstream (DEC-45). */
public enum Sign {
  /** It answered, whatever it said of the request. */
  GOOD,
  /** It is not there, does not answer in time, breaks off or speaks no HTTP; or says so itself. */
  FAILURE,
  /** Its application failed on this request; may be the request's doing, so it counts with care. */
  ERROR,
  /** Nothing: we or the client ended it, or the answer means little. */
  NOTHING;

  /** Of an answer that came whole. */
  public static Sign ofAnswer(int status, RequestClass request) {
    if (status == 502 || status == 503 || status == 504) {
      return FAILURE;
    }
    return status < 500 ? GOOD : ofError(request);
  }

  /** Who crafts requests can make the application fail on these more easily than on a page. */
  private static Sign ofError(RequestClass request) {
    return switch (request) {
      case RSC_PAYLOAD, PREFETCH, DRAFT, MUTATION -> NOTHING;
      case STATIC_ASSET, PUBLIC_DOCUMENT, PRIVATE_DOCUMENT, IMAGE, UPGRADE, OTHER -> ERROR;
    };
  }

  /** Of an attempt that did not come to its end. */
  public static Sign ofFailure(Cause cause) {
    return switch (cause) {
      case DNS_ERROR,
          CONNECTION_REFUSED,
          CONNECTION_TIMEOUT,
          ORIGIN_STRANGER,
          CONNECTION_TERMINATED,
          ORIGIN_RESPONSE_TIMEOUT,
          ORIGIN_MALFORMED,
          ORIGIN_HEADER_TOO_LARGE,
          ORIGIN_UNASKED_UPGRADE,
          ORIGIN_CUT_SHORT,
          ORIGIN_READ_TIMEOUT ->
          FAILURE;
      default -> NOTHING;
    };
  }
}
