package dev.sluice.wire.http1;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.NameSet;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The field lines of a head or trailer section as the bytes they came in: checked once, made into
 * strings only when a rule asks, written on by copying. Immutable once parsed.
 */
public final class FieldLines implements Headers {

  private static final FieldName[] NAMES = FieldName.values();
  private static final int WORDS = 3;
  private static final byte UNKNOWN = -1;

  private final byte[] bytes;
  private final int[] offsets;
  private final byte[] ids;
  private int count;
  private long present;
  private long repeated;

  /** Room for {@code lines} lines that lie in {@code bytes}. */
  private FieldLines(byte[] bytes, int lines) {
    this.bytes = bytes;
    this.offsets = new int[lines * WORDS];
    this.ids = new byte[lines];
  }

  /**
   * Reads field lines from {@code start} to the empty line that ends at {@code bytes.length}; each
   * LF in there follows a CR, which the scanner has seen to.
   *
   * @param lines how many there are, the empty one not counted
   * @return null where a line breaks RFC 9112 5
   */
  public static @Nullable FieldLines parse(byte[] bytes, int start, int lines) {
    var fields = new FieldLines(bytes, lines);
    int at = start;
    while (at >= 0 && bytes[at] != '\r') {
      at = fields.line(at);
    }
    // Only the empty line may begin with CR, and it is the last.
    return at == bytes.length - 2 ? fields : null;
  }

  private int line(int start) {
    if (count == ids.length) {
      return -1;
    }
    int colon = start;
    while (Bytes.isToken(bytes[colon])) {
      colon++;
    }
    // RFC 9112 5.1: no white space before the colon; 5.2: no folded lines; and no empty name.
    if (bytes[colon] != ':' || colon == start) {
      return -1;
    }
    int valueStart = colon + 1;
    while (Bytes.isBlank(bytes[valueStart])) {
      valueStart++;
    }
    int end = valueStart;
    while (Bytes.isValue(bytes[end])) {
      end++;
    }
    if (bytes[end] != '\r' || bytes[end + 1] != '\n') {
      return -1;
    }
    int valueEnd = end;
    while (valueEnd > valueStart && Bytes.isBlank(bytes[valueEnd - 1])) {
      valueEnd--;
    }
    add(start, colon, valueStart, valueEnd);
    return end + 2;
  }

  private void add(int nameStart, int nameEnd, int valueStart, int valueEnd) {
    FieldName known = FieldNames.find(bytes, nameStart, nameEnd);
    if (known == null) {
      ids[count] = UNKNOWN;
    } else {
      ids[count] = (byte) known.ordinal();
      repeated |= present & known.bit();
      present |= known.bit();
    }
    int at = count * WORDS;
    offsets[at] = nameStart;
    offsets[at + 1] = valueStart;
    offsets[at + 2] = valueEnd;
    count++;
  }

  @Override
  public int size() {
    return count;
  }

  @Override
  public @Nullable FieldName known(int index) {
    return ids[index] == UNKNOWN ? null : NAMES[ids[index]];
  }

  @Override
  public String name(int index) {
    int start = offsets[index * WORDS];
    int end = start;
    while (bytes[end] != ':') {
      end++;
    }
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  @Override
  public String value(int index) {
    int start = offsets[index * WORDS + 1];
    int end = offsets[index * WORDS + 2];
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  @Override
  public int valueLength(int index) {
    return offsets[index * WORDS + 2] - offsets[index * WORDS + 1];
  }

  @Override
  public char valueAt(int index, int at) {
    return (char) (bytes[offsets[index * WORDS + 1] + at] & 0xff);
  }

  @Override
  public boolean isNamedIn(int index, NameSet names) {
    int start = offsets[index * WORDS];
    int end = start;
    while (bytes[end] != ':') {
      end++;
    }
    return names.contains(bytes, start, end);
  }

  @Override
  public long present() {
    return present;
  }

  /** The value of line {@code index}, copied. */
  public byte[] valueBytes(int index) {
    int at = index * WORDS;
    return Arrays.copyOfRange(bytes, offsets[at + 1], offsets[at + 2]);
  }

  /** Whether more than one line has this name. */
  boolean isRepeated(FieldName name) {
    return (repeated & name.bit()) != 0;
  }

  /** Writes line {@code index} with one space behind the colon, CRLF behind the value. */
  void write(int index, ByteBuf out) {
    int at = index * WORDS;
    int nameStart = offsets[at];
    int valueStart = offsets[at + 1];
    int valueEnd = offsets[at + 2];
    if (bytes[valueEnd] == '\r' && valueStart >= 2 && bytes[valueStart - 2] == ':') {
      out.writeBytes(bytes, nameStart, valueEnd + 2 - nameStart);
      return;
    }
    int nameEnd = nameStart;
    while (bytes[nameEnd] != ':') {
      nameEnd++;
    }
    out.writeBytes(bytes, nameStart, nameEnd - nameStart);
    out.writeShort(':' << 8 | ' ');
    out.writeBytes(bytes, valueStart, valueEnd - valueStart);
    out.writeShort('\r' << 8 | '\n');
  }
}
