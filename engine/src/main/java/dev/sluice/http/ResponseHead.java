package dev.sluice.http;

/**
 * A response's head, interim or final. Immutable.
 *
 * @param status 100 to 599
 * @param reason as sent, may be empty
 * @param framing of the body as RFC 9112 6.3 decides it for the request that was asked
 */
public record ResponseHead(int status, String reason, Headers headers, Framing framing) {

  /** 1xx. */
  public boolean isInterim() {
    return status < 200;
  }

  /** The same to HEAD (RFC 9110 9.3.2). */
  public ResponseHead withoutBody() {
    return new ResponseHead(status, reason, headers, Framing.None.INSTANCE);
  }
}
