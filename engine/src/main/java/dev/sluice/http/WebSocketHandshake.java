package dev.sluice.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What makes a request a WebSocket handshake, and a 101 the answer to it (RFC 6455 4). Stateless.
 */
public final class WebSocketHandshake {

  /** The one protocol that a connection may be switched to (DEC-41). */
  public static final String PROTOCOL = "websocket";

  private static final String KEY = "sec-websocket-key";
  private static final String ACCEPT = "sec-websocket-accept";

  /** RFC 6455 1.3. */
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private WebSocketHandshake() {}

  /**
   * Whether {@code head} asks for a WebSocket: any other token, method or version, an Upgrade that
   * Connection does not name, and a request with a body ask for nothing (DEC-41, RFC 9110 7.8).
   */
  public static boolean isAskedBy(RequestHead head) {
    return head.headers().has(FieldName.UPGRADE)
        && head.minorVersion() == 1
        && head.method().equals("GET")
        && !head.hasBody()
        && names(head.headers())
        && ConnectionOptions.of(head.headers()).upgrade();
  }

  /**
   * Whether a 101 with these fields agrees to the handshake {@code asked}, and nobody else's: the
   * accept value proves that whoever sent it read the key (field case W01).
   */
  public static boolean isAgreedTo(Headers asked, Headers answer) {
    String key = only(asked, KEY);
    String accept = only(answer, ACCEPT);
    return key != null
        && accept != null
        && accept.equals(acceptOf(key))
        && names(answer)
        && ConnectionOptions.of(answer).upgrade();
  }

  /** The Sec-WebSocket-Accept that belongs to {@code key} (RFC 6455 4.2.2). */
  public static String acceptOf(String key) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] digest = sha1.digest((key + MAGIC).getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-1 is part of every Java", e);
    }
  }

  /** Whether one element of Upgrade is the protocol. */
  private static boolean names(Headers headers) {
    for (String line : headers.all(FieldName.UPGRADE)) {
      for (String element : line.split(",", -1)) {
        if (element.strip().equalsIgnoreCase(PROTOCOL)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The value of the one line of this name; null where there is none, or more. */
  private static @Nullable String only(Headers headers, String lowerName) {
    String found = null;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == null && headers.name(i).equalsIgnoreCase(lowerName)) {
        if (found != null) {
          return null;
        }
        found = headers.value(i);
      }
    }
    return found;
  }
}
