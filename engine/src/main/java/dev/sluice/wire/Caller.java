package dev.sluice.wire;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.net.IpAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a client's connection; each request may be for somebody else, if the
 * one at the other end is trusted to say so. Confined to the connection's loop.
 */
public final class Caller {

  private static final long FORWARDING =
      FieldName.setOf(FieldName.FORWARDED, FieldName.X_FORWARDED_FOR, FieldName.X_FORWARDED_PROTO);

  private final @Nullable IpAddress address;
  private final Peer direct;
  private @Nullable Peer trusting;
  private @Nullable TrustSettings judgedBy;
  private boolean trusted;

  /**
   * @param address null where the connection has none
   * @param secure whether it is TLS
   */
  public Caller(@Nullable IpAddress address, boolean secure) {
    this.address = address;
    this.direct =
        Peer.of(address == null ? "" : address.toString(), secure ? "https" : "http", false);
  }

  /** The IP address of a socket's other end; null where it has none. */
  public static @Nullable IpAddress addressOf(@Nullable SocketAddress remote) {
    return remote instanceof InetSocketAddress socket && socket.getAddress() != null
        ? IpAddress.of(socket.getAddress())
        : null;
  }

  /** Itself, whatever it says. */
  public Peer direct() {
    return direct;
  }

  /** For whom a request with these fields is. */
  public Peer peer(TrustSettings trust, Headers headers) {
    IpAddress own = address;
    if (own == null || !isTrusted(own, trust)) {
      return direct;
    }
    if ((headers.present() & FORWARDING) == 0) {
      return trusted();
    }
    HopWalk walk = HopWalk.of(trust, headers, own);
    String scheme = walk.scheme() == null ? direct.scheme() : walk.scheme();
    return walk.client().equals(own) && scheme.equals(direct.scheme())
        ? trusted()
        : Peer.of(walk.client().toString(), scheme, true);
  }

  /** Itself, as one who is trusted. */
  private Peer trusted() {
    Peer known = trusting;
    if (known == null) {
      known = Peer.of(direct.address(), direct.scheme(), true);
      trusting = known;
    }
    return known;
  }

  /** Asked once for each configuration, since a connection outlives it (DEC-36). */
  @SuppressWarnings("ReferenceEquality")
  private boolean isTrusted(IpAddress own, TrustSettings trust) {
    if (trust != judgedBy) {
      judgedBy = trust;
      trusted = trust.trusts(own);
    }
    return trusted;
  }
}
