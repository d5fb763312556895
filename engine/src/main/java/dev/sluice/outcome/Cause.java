package dev.sluice.outcome;

import org.jspecify.annotations.Nullable;

/**
 * Why something ended. One word serves the access log, the metrics' {@code reason} label and the
 * detail of {@code Proxy-Status}; the error type beside it is RFC 9209's.
 */
public enum Cause {
  // Well.
  COMPLETE(Party.SLUICE, 0, null, "complete", "The answer was delivered whole."),

  // The client's doing.
  CLIENT_LEFT(Party.CLIENT, 0, null, "client_left", "The client closed or reset."),
  CLIENT_BODY_ABORTED(
      Party.CLIENT,
      400,
      "http_request_error",
      "client_body_aborted",
      "The request body ended short of its length or was malformed."),
  SLOW_CLIENT(
      Party.CLIENT,
      408,
      "http_request_error",
      "slow_client",
      "The client sent or read below the minimum rate, or stood still."),
  CLIENT_PROTOCOL(
      Party.CLIENT,
      400,
      "http_protocol_error",
      "client_protocol",
      "The connection broke a rule or a limit of HTTP/2."),
  CLIENT_HEADER_TIMEOUT(
      Party.CLIENT,
      408,
      "http_request_error",
      "client_header_timeout",
      "The request head did not arrive in time."),
  CLIENT_BODY_TIMEOUT(
      Party.CLIENT,
      408,
      "http_request_error",
      "client_body_timeout",
      "The request body stood still for too long."),

  // Refusals: what is turned away before it costs anything.
  BAD_REQUEST(Party.CLIENT, 400, "http_request_error", "bad_request", "The request is malformed."),
  METHOD_NOT_ALLOWED(
      Party.CLIENT,
      405,
      "http_request_denied",
      "method_not_allowed",
      "The method is not served here."),
  URI_TOO_LONG(
      Party.CLIENT, 414, "http_request_error", "uri_too_long", "The request target is too long."),
  EXPECTATION_FAILED(
      Party.CLIENT,
      417,
      "http_request_error",
      "expectation_failed",
      "The expectation is not supported."),
  MISDIRECTED(
      Party.CLIENT, 421, "http_request_denied", "misdirected", "The host is not served here."),
  HEADER_TOO_LARGE(
      Party.CLIENT,
      431,
      "http_request_error",
      "header_too_large",
      "The request head is too large."),
  UPGRADE_OFF(
      Party.SLUICE, 501, "http_request_denied", "upgrade_off", "Upgrades are switched off."),
  TRANSFER_CODING(
      Party.CLIENT,
      501,
      "http_request_error",
      "transfer_coding",
      "The transfer coding is not supported."),
  VERSION(Party.CLIENT, 505, "http_request_error", "version", "The HTTP version is not supported."),
  LOOP(Party.CLIENT, 508, "proxy_loop_detected", "loop", "The request passed through here before."),

  // Shed: admission said no because of load. Their status is the configured overload status.
  QUEUE_FULL(Party.SLUICE, 503, "http_request_denied", "queue_full", "The wait queue is full."),
  QUEUE_DEADLINE(
      Party.SLUICE,
      503,
      "http_request_denied",
      "queue_deadline",
      "The wait for the origin took too long."),
  DISPLACED(
      Party.SLUICE,
      503,
      "http_request_denied",
      "displaced",
      "A request of a higher tier took the place."),
  PREDICTED(
      Party.SLUICE,
      503,
      "http_request_denied",
      "predicted",
      "The wait for the origin would take too long."),
  LIMIT_LOWERED(
      Party.SLUICE,
      503,
      "http_request_denied",
      "limit_lowered",
      "The limits in force can no longer fit the request."),
  CLASS_FULL(
      Party.SLUICE,
      503,
      "http_request_denied",
      "class_full",
      "The ceiling of the request's class is reached."),
  BOARDING_FULL(
      Party.SLUICE,
      503,
      "http_request_denied",
      "boarding_full",
      "Too many wait for the same answer."),
  BOARDING_DEADLINE(
      Party.SLUICE,
      503,
      "http_request_denied",
      "boarding_deadline",
      "The wait for another request's answer took too long."),
  REFRESH_DECLINED(
      Party.SLUICE,
      503,
      "http_request_denied",
      "refresh_declined",
      "A background refresh found no permit free."),
  MEMORY(Party.SLUICE, 503, "proxy_internal_error", "memory", "Memory is short."),
  STOPPING(Party.SLUICE, 503, "http_request_denied", "stopping", "The proxy is stopping."),

  // The origin's doing, before its head.
  DNS_ERROR(Party.ORIGIN, 502, "dns_error", "dns_error", "The origin's name has no address."),
  CONNECTION_REFUSED(
      Party.ORIGIN, 502, "connection_refused", "connection_refused", "The origin refused."),
  CONNECTION_TIMEOUT(
      Party.ORIGIN,
      504,
      "connection_timeout",
      "connection_timeout",
      "The origin did not accept in time."),
  CONNECTION_LIMIT_REACHED(
      Party.SLUICE,
      503,
      "connection_limit_reached",
      "connection_limit_reached",
      "No more connections to the origin are allowed."),
  ORIGIN_STRANGER(
      Party.ORIGIN,
      502,
      "destination_ip_prohibited",
      "origin_stranger",
      "What answers at the origin's address is not the origin."),
  CONNECTION_TERMINATED(
      Party.ORIGIN,
      502,
      "connection_terminated",
      "connection_terminated",
      "The origin closed before it answered."),
  TLS_CERTIFICATE_ERROR(
      Party.ORIGIN,
      502,
      "tls_certificate_error",
      "tls_certificate_error",
      "The origin's certificate is not trusted, or is another name's."),
  TLS_PROTOCOL_ERROR(
      Party.ORIGIN,
      502,
      "tls_protocol_error",
      "tls_protocol_error",
      "The origin does not speak TLS, or none that is spoken here."),
  TLS_ALERT_RECEIVED(
      Party.ORIGIN,
      502,
      "tls_alert_received",
      "tls_alert_received",
      "The origin broke the TLS handshake off."),
  ORIGIN_RESPONSE_TIMEOUT(
      Party.ORIGIN,
      504,
      "http_response_timeout",
      "origin_response_timeout",
      "The origin did not answer in time."),
  ORIGIN_MALFORMED(
      Party.ORIGIN,
      502,
      "http_protocol_error",
      "origin_malformed",
      "The origin's answer is malformed."),
  ORIGIN_HEADER_TOO_LARGE(
      Party.ORIGIN,
      502,
      "http_response_header_section_size",
      "origin_header_too_large",
      "The origin's head is too large."),
  ORIGIN_UNASKED_UPGRADE(
      Party.ORIGIN,
      502,
      "http_upgrade_failed",
      "origin_unasked_upgrade",
      "The origin switched protocols unasked."),

  ORIGIN_UPGRADE_MALFORMED(
      Party.ORIGIN,
      502,
      "http_upgrade_failed",
      "origin_upgrade_malformed",
      "The origin switched protocols and did not answer the handshake that was sent."),

  ORIGIN_ERROR(
      Party.ORIGIN,
      502,
      "http_response_incomplete",
      "origin_error",
      "The origin answered the request that this one shared with an error."),

  // The origin's doing, after its head: the transfer is aborted, never ended tidily.
  ORIGIN_CUT_SHORT(
      Party.ORIGIN,
      502,
      "http_response_incomplete",
      "origin_cut_short",
      "The origin's body ended short."),
  ORIGIN_READ_TIMEOUT(
      Party.ORIGIN,
      504,
      "connection_read_timeout",
      "origin_read_timeout",
      "The origin's body stood still for too long."),

  // Ours.
  FINISH_LIMIT(
      Party.SLUICE,
      0,
      null,
      "finish_limit",
      "An answer that nobody reads any more met its limit of time or bytes."),
  LAGGARD(
      Party.CLIENT,
      0,
      null,
      "laggard",
      "The client read so slowly that it held up others on the same answer."),
  TUNNEL_IDLE(
      Party.SLUICE,
      0,
      null,
      "tunnel_idle",
      "Not a byte passed a tunnel in either direction for too long."),
  CLOSED_ON_ABORT(
      Party.SLUICE, 0, null, "closed_on_abort", "The origin was left because its client left."),
  SHUTDOWN(Party.SLUICE, 503, "proxy_internal_error", "shutdown", "The proxy stopped."),
  INTERNAL_ERROR(
      Party.SLUICE, 500, "proxy_internal_error", "internal_error", "Sluice failed; see its log.");

  private final Party party;
  private final int status;
  private final @Nullable String proxyError;
  private final String code;
  private final String sentence;

  Cause(Party party, int status, @Nullable String proxyError, String code, String sentence) {
    this.party = party;
    this.status = status;
    this.proxyError = proxyError;
    this.code = code;
    this.sentence = sentence;
  }

  /** Whose doing it was. */
  public Party party() {
    return party;
  }

  /** The status a client gets for it where nothing else is configured; 0 where none is sent. */
  public int status() {
    return status;
  }

  /** The RFC 9209 2.3 error type, or null where there is nothing to report. */
  public @Nullable String proxyError() {
    return proxyError;
  }

  /** The word for logs and metrics. */
  public String code() {
    return code;
  }

  /** One sentence for people. */
  public String sentence() {
    return sentence;
  }

  /** Whether admission said no because of load, so that the configured overload answer is due. */
  public boolean isShed() {
    return switch (this) {
      case QUEUE_FULL,
          QUEUE_DEADLINE,
          DISPLACED,
          PREDICTED,
          LIMIT_LOWERED,
          CLASS_FULL,
          BOARDING_FULL,
          BOARDING_DEADLINE,
          REFRESH_DECLINED,
          MEMORY,
          STOPPING ->
          true;
      default -> false;
    };
  }
}
