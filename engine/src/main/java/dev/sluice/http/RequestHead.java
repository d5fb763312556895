package dev.sluice.http;

/**
 * A request's head as it arrived, past the checks of framing. Immutable.
 *
 * @param method as sent, case-sensitive (RFC 9110 9.1)
 * @param target what is asked for, in every form that rules and the origin need
 * @param authority the one host chosen for routing, key, log and origin: from an absolute-form
 *     target where there is one, else from Host (RFC 9112 3.2.2); empty for HTTP/1.0 without Host
 * @param minorVersion 0 or 1
 * @param framing of the body
 */
public record RequestHead(
    String method,
    Target target,
    String authority,
    int minorVersion,
    Headers headers,
    Framing framing) {

  /** Whether there is a body to send on; {@code Content-Length: 0} is none. */
  public boolean hasBody() {
    return framing instanceof Framing.Chunked
        || (framing instanceof Framing.Length length && length.bytes() > 0);
  }

  /** GET, HEAD and OPTIONS: what a proxy may ask twice (RFC 9110 9.2.1; TRACE is not served). */
  public boolean isSafe() {
    return method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS");
  }

  /** Whether the final answer has no body whatever its fields say. */
  public boolean isHead() {
    return method.equals("HEAD");
  }
}
