package dev.sluice.wire;

import dev.sluice.outcome.Cause;
import java.net.InetSocketAddress;

/** Opens connections to upstreams on one loop. */
public interface OriginConnector {

  /** Connects; exactly one of the callbacks follows, on the loop, possibly before this returns. */
  void connect(InetSocketAddress address, OriginOwner owner, Connected connected);

  /** How a connect ended. */
  interface Connected {
    void ready(OriginStream stream);

    void failed(Cause cause);
  }
}
