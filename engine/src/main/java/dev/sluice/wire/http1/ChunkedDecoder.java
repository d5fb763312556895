package dev.sluice.wire.http1;

import dev.sluice.flow.Trailers;
import io.netty.buffer.ByteBuf;

/**
 * Takes the chunked coding off (RFC 9112 7.1), strictly: sizes are hexadecimal digits and nothing
 * else, extensions are checked and dropped, every line ends in CRLF. Confined to its connection's
 * loop.
 */
final class ChunkedDecoder {

  /** Where the data goes. */
  interface Sink {
    /** Takes the next bytes of the body. */
    void data(ByteBuf chunk);
  }

  /** What became of the bytes so far. */
  enum Result {
    MORE,
    DONE,
    MALFORMED
  }

  private enum State {
    SIZE,
    EXTENSION,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILERS
  }

  /** Digits of a size, leading zeros included: a size of 2^60 is more than anybody sends. */
  private static final int MAX_DIGITS = 15;

  private static final int MAX_EXTENSION = 256;

  private final HeadScanner trailerScanner;
  private State state = State.SIZE;
  private long size;
  private int digits;
  private int extension;
  private boolean padded;
  private Trailers trailers = Trailers.NONE;

  /** Trailer sections of {@code maxTrailers} bytes at most. */
  ChunkedDecoder(int maxTrailers) {
    this.trailerScanner = new HeadScanner(maxTrailers, maxTrailers);
  }

  /** Once {@link Result#DONE}. */
  Trailers trailers() {
    return trailers;
  }

  /** Reads what it can from {@code in}; bytes behind the body's end are left there. */
  Result decode(ByteBuf in, Sink sink) {
    while (in.isReadable()) {
      if (state == State.DATA) {
        data(in, sink);
      } else if (state == State.TRAILERS) {
        return trailerSection(in);
      } else if (!control(in.readByte())) {
        return Result.MALFORMED;
      }
    }
    return Result.MORE;
  }

  private void data(ByteBuf in, Sink sink) {
    int length = (int) Math.min(size, in.readableBytes());
    size -= length;
    if (size == 0) {
      state = State.DATA_CR;
    }
    sink.data(in.readRetainedSlice(length));
  }

  private boolean control(byte b) {
    return switch (state) {
      case SIZE -> sizeByte(b);
      case EXTENSION -> extensionByte(b);
      case SIZE_LF -> b == '\n' && sizeDone();
      case DATA_CR -> b == '\r' && to(State.DATA_LF);
      case DATA_LF -> b == '\n' && nextChunk();
      case DATA, TRAILERS -> throw new IllegalStateException("chunked: " + state);
    };
  }

  private boolean sizeByte(byte b) {
    int digit = Bytes.hex(b);
    if (digit >= 0) {
      size = size << 4 | digit;
      return ++digits <= MAX_DIGITS;
    }
    if (digits == 0) {
      return false;
    }
    return switch (b) {
      case '\r' -> to(State.SIZE_LF);
      case ';' -> to(State.EXTENSION);
      case ' ', '\t' -> {
        // RFC 9112 7.1.1: white space only before an extension, never before the line's end.
        padded = true;
        yield to(State.EXTENSION);
      }
      default -> false;
    };
  }

  private boolean extensionByte(byte b) {
    if (padded) {
      padded = Bytes.isBlank(b);
      return (padded || b == ';') && ++extension <= MAX_EXTENSION;
    }
    if (b == '\r') {
      return to(State.SIZE_LF);
    }
    return Bytes.isValue(b) && ++extension <= MAX_EXTENSION;
  }

  private boolean sizeDone() {
    return to(size == 0 ? State.TRAILERS : State.DATA);
  }

  private boolean nextChunk() {
    size = 0;
    digits = 0;
    extension = 0;
    padded = false;
    return to(State.SIZE);
  }

  private boolean to(State next) {
    state = next;
    return true;
  }

  private Result trailerSection(ByteBuf in) {
    HeadScanner.Found found = trailerScanner.scan(in);
    // An empty section is one CRLF, which the scanner sees as a first line of length 0.
    if (found == HeadScanner.Found.PARTIAL) {
      return Result.MORE;
    }
    if (found != HeadScanner.Found.WHOLE) {
      return Result.MALFORMED;
    }
    int length = trailerScanner.length();
    if (length == 2) {
      in.skipBytes(2);
      return Result.DONE;
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    FieldLines lines = FieldLines.parse(bytes, 0, trailerScanner.lines() - 1);
    if (lines == null) {
      return Result.MALFORMED;
    }
    trailers = TrailerFields.kept(lines);
    return Result.DONE;
  }
}
