package dev.sluice.wire.http1;

import io.netty.buffer.ByteBuf;

/**
 * Finds the end of a head in bytes that arrive piecemeal, looking at each byte once. Confined to
 * its connection's loop.
 */
public final class HeadScanner {

  /** What a look at the bytes gave. */
  public enum Found {
    /** The head is whole; {@link #length()} and {@link #lines()} tell more. */
    WHOLE,
    /** More bytes are needed. */
    PARTIAL,
    /** A line ends in LF without CR (RFC 9112 2.2). */
    BARE_LF,
    /** Longer than allowed. */
    TOO_LARGE,
    /** The first line alone is longer than its own bound. */
    FIRST_LINE_TOO_LARGE
  }

  private final int maxFirstLine;
  private final int maxHead;
  private int scanned;
  private int lineStart;
  private int lines;

  public HeadScanner(int maxHead, int maxFirstLine) {
    this.maxHead = maxHead;
    this.maxFirstLine = maxFirstLine;
  }

  /** Forgets the head that was found and starts at the reader index. */
  public void reset() {
    scanned = 0;
    lineStart = 0;
    lines = 0;
  }

  /** Bytes of the head with its empty line, once it is whole. */
  public int length() {
    return scanned;
  }

  /** Lines of the head, the first and the empty one included. */
  public int lines() {
    return lines;
  }

  /** Whether nothing of a head was seen yet. */
  public boolean isUntouched() {
    return scanned == 0;
  }

  /** Goes on where the last look ended; {@code in}'s reader index is the head's first byte. */
  public Found scan(ByteBuf in) {
    int base = in.readerIndex();
    int end = in.writerIndex();
    while (true) {
      int lf = in.indexOf(base + scanned, end, (byte) '\n');
      if (lf < 0) {
        scanned = end - base;
        return bounds(Found.PARTIAL);
      }
      int at = lf - base;
      scanned = at + 1;
      lines++;
      if (at == 0 || in.getByte(lf - 1) != '\r') {
        return Found.BARE_LF;
      }
      if (lines == 1 && at > maxFirstLine) {
        return Found.FIRST_LINE_TOO_LARGE;
      }
      if (at - lineStart == 1) {
        return bounds(Found.WHOLE);
      }
      lineStart = at + 1;
    }
  }

  private Found bounds(Found found) {
    if (lines == 0 && scanned > maxFirstLine) {
      return Found.FIRST_LINE_TOO_LARGE;
    }
    return scanned > maxHead ? Found.TOO_LARGE : found;
  }
}
