package dev.sluice.wire;

import dev.sluice.flow.Body;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection to an upstream that carries one attempt at a time. Confined to its loop. */
public interface OriginStream {

  /** Writes a request; what comes back goes to {@code events}. */
  void send(RequestOut request, @Nullable Body body, OriginEvents events);

  /** Closes the connection; no event follows. */
  void cancel();

  /** Whether it carried an attempt before the one under way. */
  boolean isReused();

  /** Whether not one byte of the request that is under way reached the socket. */
  boolean isUntouched();

  /** Whether not one byte came back yet. */
  boolean isSilent();

  /** Where it leads. */
  InetSocketAddress address();

  /** When it became idle, on the ticker. */
  long idleSinceNanos();
}
