package dev.sluice.outcome;

/**
 * Why an answer was not shared, or not kept. One word serves the access log's {@code
 * bypass_reason}, the metrics' label, the detail of {@code Cache-Status} (RFC 9211) and {@code
 * sluice explain}.
 */
public enum BypassReason {
  // Of the request: it goes to the origin alone and whole.
  PRIVATE_ROUTE("private_route", "The route's answers are private."),
  REUSE_OFF("reuse_off", "Neither cache nor coalescing is on for the route."),
  METHOD("method", "Only GET and HEAD can be answered from another's answer."),
  AUTHORIZATION("authorization", "The request carries Authorization."),
  COOKIE(
      "cookie", "The request carries a cookie, and the route does not assert that it is public."),
  REQUEST_BODY("request_body", "A GET or HEAD with a body has no defined meaning."),
  UPGRADE("upgrade", "A WebSocket is between one client and the origin."),
  DRAFT("draft", "A draft-mode cookie is present."),
  AMBIGUOUS_TARGET("ambiguous_target", "Two parsers could read the target differently."),
  INTERNAL_PARAMETER("internal_parameter", "The query has a parameter of the framework's own."),
  RANGE("range", "A range is answered from a complete stored answer only, and there was none."),
  CONDITION("condition", "If-Match and its like are answered from a complete stored answer only."),
  HEAD_FIRST("head_first", "HEAD follows a GET's answer and never leads one."),
  RSC_MISMATCH("rsc_mismatch", "The request's _rsc does not fit its own selector fields."),
  IDENTITY_REFUSED("identity_refused", "The client refuses the identity coding."),
  KEY_TOO_LONG("key_too_long", "The request's key would be too long."),
  CLIENT_NO_STORE("client_no_store", "The client said no-store, and clients are heard."),
  BOARDED_BEFORE("boarded_before", "The request was aboard a flight that could not serve it."),

  // Of the response: absolute barriers.
  SET_COOKIE("set_cookie", "The response sets a cookie."),
  STATUS("status", "The response's status may not be shared."),
  PARTIAL("partial", "The response is a part of something."),
  VARY_STAR("vary_star", "The response varies by more than the request."),
  UNSUPPORTED_VARY(
      "unsupported_vary", "The response varies by more fields, or in more ways, than are kept."),
  CUT_SHORT("cut_short", "The response ended short."),
  UNTIL_CLOSE(
      "until_close", "The body ends with the connection, as it would where the origin broke off."),
  EVENT_STREAM("event_stream", "An event stream has no end."),
  CONTENT_TYPE("content_type", "The content type is not one that this request can have asked for."),
  OTHER_VALIDATOR("other_validator", "The origin's not modified speaks of another response."),
  CODING("coding", "The response is in a content coding that was not asked for."),

  // Of the response: the origin's word.
  NO_STORE("no_store", "The origin said no-store."),
  PRIVATE("private", "The origin said private."),
  NO_CACHE("no_cache", "The origin said no-cache."),
  NO_FRESHNESS("no_freshness", "The origin did not say for how long the response is fresh."),
  PREFETCH("prefetch", "A prefetch without explicit freshness is shared, not kept."),

  // Of our own means.
  CACHE_OFF("cache_off", "The route coalesces but does not keep."),
  OVERSIZE("oversize", "The body is larger than what is kept."),
  STORE_FULL("store_full", "The store had no room that could be made in time."),
  PURGED("purged", "A purge came while the response was under way."),
  MEMORY("memory", "Memory is short.");

  private final String code;
  private final String sentence;

  BypassReason(String code, String sentence) {
    this.code = code;
    this.sentence = sentence;
  }

  /** The word for logs and metrics. */
  public String code() {
    return code;
  }

  /** One sentence for people. */
  public String sentence() {
    return sentence;
  }
}
