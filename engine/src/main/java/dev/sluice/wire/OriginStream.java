package dev.sluice.wire;

import dev.sluice.flow.Body;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Room for one attempt at an upstream: a connection of HTTP/1.1, or a place on one of HTTP/2 that
 * carries others beside it. Confined to its loop.
 */
public interface OriginStream {

  /** Writes a request; what comes back goes to {@code events}. */
  void send(RequestOut request, @Nullable Body body, OriginEvents events);

  /** Closes the connection, or its place on one that others use; no event follows. */
  void cancel();

  /**
   * Its owner wants no further attempt there: it closes, at once or behind those that are under way
   * beside it.
   */
  default void retire() {
    cancel();
  }

  /** Whether it carried an attempt before the one under way. */
  boolean isReused();

  /** Whether not one byte of the request that is under way reached the socket. */
  boolean isUntouched();

  /** Whether the origin itself said that it did not so much as look at the request. */
  default boolean isRefused() {
    return false;
  }

  /** Whether others are under way on the same connection. */
  default boolean isBusy() {
    return false;
  }

  /** Whether not one byte came back yet. */
  boolean isSilent();

  /** Where it leads. */
  InetSocketAddress address();

  /** When it became idle, on the ticker. */
  long idleSinceNanos();
}
