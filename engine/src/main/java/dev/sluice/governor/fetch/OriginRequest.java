package dev.sluice.governor.fetch;

import dev.sluice.governor.classify.RouteClass;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.HopByHop;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import dev.sluice.wire.Peer;
import dev.sluice.wire.RequestOut;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the request that an origin gets out of the one that a client sent: what concerns one hop
 * stays behind, what identifies the client is replaced, never appended to. Immutable.
 */
public final class OriginRequest {

  private static final long DROPPED =
      HopByHop.FIELDS
          | FieldName.setOf(
              FieldName.FORWARDED,
              FieldName.X_FORWARDED_FOR,
              FieldName.X_FORWARDED_HOST,
              FieldName.X_FORWARDED_PROTO);

  /**
   * What else proxies tell their origins of where a request came from, for whom and to which path:
   * it is believed, so only who is trusted may say it (PRX-19, field case C14).
   */
  private static final NameSet TOLD =
      NameSet.of(
          List.of(
              "x-forwarded-access-token",
              "x-forwarded-by",
              "x-forwarded-client-cert",
              "x-forwarded-email",
              "x-forwarded-groups",
              "x-forwarded-method",
              "x-forwarded-path",
              "x-forwarded-port",
              "x-forwarded-prefix",
              "x-forwarded-preferred-username",
              "x-forwarded-protocol",
              "x-forwarded-scheme",
              "x-forwarded-server",
              "x-forwarded-ssl",
              "x-forwarded-uri",
              "x-forwarded-user",
              "x-original-forwarded-for",
              "x-real-ip"),
          List.of());

  private static final byte[] FORWARDED_HOST = ascii("X-Forwarded-Host: ");
  private static final byte[] CRLF = ascii("\r\n");

  private final @Nullable String via;
  private final byte[] viaLine;
  private final NameSet internal;
  private final NameSet strangers;

  /**
   * @param via our pseudonym, or null for none (DEC-46)
   * @param internal names that only the framework itself may send
   */
  public OriginRequest(@Nullable String via, NameSet internal) {
    this.via = via;
    this.viaLine = via == null ? new byte[0] : ascii("Via: 1.1 " + via + "\r\n");
    this.internal = internal;
    this.strangers = internal.and(TOLD);
  }

  /** Whether the request passed through this process before (RFC 9110 7.6.3). */
  public boolean isLoop(Headers headers) {
    if (via == null || !headers.has(FieldName.VIA)) {
      return false;
    }
    for (String line : headers.all(FieldName.VIA)) {
      for (String hop : line.split(",", -1)) {
        String[] words = hop.strip().split("\\s+", -1);
        if (words.length > 1 && words[1].equalsIgnoreCase(via)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The request as it goes out, if it is {@code of} this class. */
  public RequestOut of(RequestHead head, RouteClass of, Peer peer) {
    byte[] added = added(head.authority(), peer.fields());
    long dropped = DROPPED;
    if (head.minorVersion() == 0) {
      // RFC 9110 10.1.1: an HTTP/1.0 client's expectation is ignored.
      dropped |= FieldName.EXPECT.bit();
    }
    if (of == RouteClass.STATIC) {
      // DEC-43: an asset is nobody's.
      dropped |= FieldName.COOKIE.bit();
    }
    List<String> ofConnection = HopByHop.connectionNames(head.headers());
    return new RequestOut(head, dropped, ofConnection, refused(peer), added);
  }

  /** A WebSocket's handshake, as it goes out; the fields that are its own are end-to-end. */
  public RequestOut ofHandshake(RequestHead head, Peer peer) {
    byte[] added = added(head.authority(), peer.fields());
    List<String> dropped = HopByHop.connectionNames(head.headers());
    return new RequestOut(head, DROPPED, dropped, refused(peer), added, true);
  }

  private NameSet refused(Peer peer) {
    return peer.trusted() ? internal : strangers;
  }

  /**
   * A request that no client waits for, as it goes out: nobody is named in X-Forwarded-For
   * (DEC-34).
   *
   * @param scheme http or https
   */
  public RequestOut ofNobody(RequestHead head, String scheme) {
    byte[] added = added(head.authority(), ascii("X-Forwarded-Proto: " + scheme + "\r\n"));
    return new RequestOut(head, DROPPED, List.of(), internal, added);
  }

  private byte[] added(String authority, byte[] identity) {
    int host = authority.length();
    byte[] lines =
        new byte[identity.length + FORWARDED_HOST.length + host + CRLF.length + viaLine.length];
    int at = put(lines, 0, identity);
    at = put(lines, at, FORWARDED_HOST);
    for (int i = 0; i < host; i++) {
      lines[at++] = (byte) authority.charAt(i);
    }
    at = put(lines, at, CRLF);
    put(lines, at, viaLine);
    return lines;
  }

  private static int put(byte[] to, int at, byte[] from) {
    System.arraycopy(from, 0, to, at, from.length);
    return at + from.length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
