package dev.sluice.http;

/** How the end of a message's body is known (RFC 9112 6.3). */
public sealed interface Framing {

  /** No body at all. */
  record None() implements Framing {
    public static final None INSTANCE = new None();
  }

  /** Exactly {@code bytes} bytes; 0 is a body of no bytes. */
  record Length(long bytes) implements Framing {}

  /** Until the last chunk, trailers behind it. */
  record Chunked() implements Framing {
    public static final Chunked INSTANCE = new Chunked();
  }

  /** Until the connection closes; a response's only. */
  record UntilClose() implements Framing {
    public static final UntilClose INSTANCE = new UntilClose();
  }
}
