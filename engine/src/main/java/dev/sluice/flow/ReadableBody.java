package dev.sluice.flow;

/**
 * A body from the side of the one who reads it: relayed, followed by many, or stored. Confined to
 * the reader's event loop.
 */
public interface ReadableBody {

  /** Attaches the reader; it gets at once what is there. Once. */
  void follow(Body.Reader reader);

  /** The reader can take more. */
  void resume();

  /** The reader is gone; it hears nothing more. */
  void desert();
}
