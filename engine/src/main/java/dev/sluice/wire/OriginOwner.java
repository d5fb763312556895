package dev.sluice.wire;

/** Who keeps the idle connections of one loop. Called on that loop. */
public interface OriginOwner {

  /** The connection can carry another attempt. */
  void idle(OriginStream stream);

  /** It cannot any more, though its connection is still open; {@link #closed} follows some time. */
  default void withdrawn(OriginStream stream) {
    // Nothing to do for who keeps none.
  }

  /** The connection is gone, idle or not. */
  void closed(OriginStream stream);
}
