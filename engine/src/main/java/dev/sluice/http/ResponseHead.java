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

  /** 100: the request's body may come (RFC 9110 10.1.1). */
  public boolean isContinue() {
    return status == 100;
  }

  /** The same to HEAD (RFC 9110 9.3.2). */
  public ResponseHead withoutBody() {
    return new ResponseHead(status, reason, headers, Framing.None.INSTANCE);
  }
}
