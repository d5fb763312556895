package dev.sluice.wire;

import dev.sluice.outcome.Cause;
import java.net.InetSocketAddress;

/** Opens connections to upstreams on one loop. */
public interface OriginConnector {

  /** Connects; exactly one of the callbacks follows, on the loop, possibly before this returns. */
  void connect(InetSocketAddress address, OriginOwner owner, Connected connected);

  /** The same for attempts that only HTTP/1.1 can carry ({@link RequestOut#upgrade}). */
  default OriginConnector forUpgrades() {
    return this;
  }

  /**
   * Whether a connection that is being made will carry many attempts, so that it may be waited for.
   */
  default boolean sharesConnections() {
    return false;
  }

  /** How a connect ended. */
  interface Connected {
    void ready(OriginStream stream);

    void failed(Cause cause);
  }
}
