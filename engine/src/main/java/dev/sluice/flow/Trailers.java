package dev.sluice.flow;

/**
 * The trailer section behind a body: its field lines in wire form, checked and filtered, each ended
 * by CRLF. Immutable; the bytes are not to be changed.
 */
public record Trailers(byte[] lines) {

  /** No trailers. */
  public static final Trailers NONE = new Trailers(new byte[0]);

  /** Whether there are none. */
  public boolean isEmpty() {
    return lines.length == 0;
  }
}
