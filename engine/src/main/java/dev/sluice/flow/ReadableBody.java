package dev.sluice.flow;

/**
 * A body from the side of the one who reads it: relayed, followed by many, or stored. Confined to
 * the reader's event loop.
 */
public interface ReadableBody {

  /** No bytes. */
  ReadableBody NONE =
      new ReadableBody() {
        @Override
        public void follow(Body.Reader reader) {
          reader.complete(Trailers.NONE);
        }

        @Override
        public void resume() {
          // There is no more.
        }

        @Override
        public void desert() {
          // There was nothing.
        }
      };

  /** Attaches the reader; it gets at once what is there. Once. */
  void follow(Body.Reader reader);

  /** The reader can take more. */
  void resume();

  /** The reader is gone; it hears nothing more. */
  void desert();
}
