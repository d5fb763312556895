package dev.sluice.wire;

import dev.sluice.net.IpAddress;
import dev.sluice.net.IpNetwork;
import java.util.List;

/**
 * {@code server.trusted_proxies}: whose word about a client is believed, and where it stands
 * (PRX-19 to PRX-32). Immutable.
 */
public record TrustSettings(List<IpNetwork> from, Source clientIp, Source scheme) {

  /** Nobody is believed. */
  public static final TrustSettings NOBODY = new TrustSettings(List.of(), Source.NONE, Source.NONE);

  /** Which fields tell it. */
  public enum Source {
    /** X-Forwarded-For, X-Forwarded-Proto. */
    X_FORWARDED,
    /** Forwarded, RFC 7239. */
    FORWARDED,
    /** None. */
    NONE
  }

  public TrustSettings {
    from = List.copyOf(from);
  }

  public boolean trusts(IpAddress address) {
    for (IpNetwork network : from) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }
}
