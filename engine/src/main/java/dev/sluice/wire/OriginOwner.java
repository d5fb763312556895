package dev.sluice.wire;

/** Who keeps the idle connections of one loop. Called on that loop. */
public interface OriginOwner {

  /** The connection can carry another attempt. */
  void idle(OriginStream stream);

  /** The connection is gone, idle or not. */
  void closed(OriginStream stream);
}
