package dev.sluice.wire.http2;

import dev.sluice.http.FieldName;
import dev.sluice.wire.http1.Bytes;
import dev.sluice.wire.http1.FieldLines;
import dev.sluice.wire.http1.FieldNames;
import io.netty.util.AsciiString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Regular fields of HTTP/2, checked byte by byte (RFC 9113 8.2.1, 8.2.2) and turned into the field
 * lines of HTTP/1.1, which the one grammar of heads then reads: nothing gets through here that
 * would be two lines there. Cookie crumbs become one line (8.2.3). Confined to one call.
 */
final class FieldSection {

  /** What no message of HTTP/2 may carry (RFC 9113 8.2.2). */
  private static final long FORBIDDEN =
      FieldName.setOf(
          FieldName.CONNECTION,
          FieldName.KEEP_ALIVE,
          FieldName.PROXY_CONNECTION,
          FieldName.TRANSFER_ENCODING,
          FieldName.UPGRADE);

  private static final int ESTIMATE = 512;

  private byte[] lines = new byte[ESTIMATE];
  private int length;
  private int count;
  private byte @Nullable [] cookies;

  /** Regular fields from index {@code from} on; null where one of them is malformed. */
  static @Nullable FieldLines lines(ReceivedFields fields, int from) {
    var section = new FieldSection();
    AsciiString length = null;
    for (int i = from; i < fields.size(); i++) {
      AsciiString name = fields.name(i);
      AsciiString value = fields.value(i);
      // A pseudo-header's name is no token.
      if (!isName(name) || !isValue(value)) {
        return null;
      }
      FieldName known = known(name);
      // RFC 9110 8.6: the same length said twice is one; nothing is framed by it here.
      boolean again = known == FieldName.CONTENT_LENGTH && value.equals(length);
      length = known == FieldName.CONTENT_LENGTH ? value : length;
      if (!again && !section.add(known, name, value)) {
        return null;
      }
    }
    return section.toLines();
  }

  /**
   * Takes a field; false where the message is malformed by it.
   *
   * @param known its name in the vocabulary, as {@link #known} finds it
   */
  boolean add(@Nullable FieldName known, AsciiString name, AsciiString value) {
    if (known != null && (known.bit() & FORBIDDEN) != 0) {
      return false;
    }
    // RFC 9113 8.2.2: the one thing that TE may say.
    if (known == FieldName.TE && !value.contentEqualsIgnoreCase("trailers")) {
      return false;
    }
    if (known == FieldName.COOKIE) {
      addCookie(value);
    } else {
      line(name, value.array(), value.arrayOffset(), value.length());
    }
    return true;
  }

  /** Its name in the vocabulary; the name is not empty. */
  static @Nullable FieldName known(AsciiString name) {
    int start = name.arrayOffset();
    return FieldNames.find(name.array(), start, start + name.length());
  }

  /** RFC 9113 8.2.1: a token in lower case. */
  static boolean isName(AsciiString name) {
    for (int i = 0; i < name.length(); i++) {
      byte b = name.byteAt(i);
      if (!Bytes.isToken(b) || (b >= 'A' && b <= 'Z')) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /** RFC 9113 8.2.1: no control byte, no white space at either end. */
  static boolean isValue(AsciiString value) {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      if (!Bytes.isValue(value.byteAt(i))) {
        return false;
      }
    }
    return length == 0
        || !(Bytes.isBlank(value.byteAt(0)) || Bytes.isBlank(value.byteAt(length - 1)));
  }

  /** All of them as the lines of a head; null where they are none after all. */
  @Nullable FieldLines toLines() {
    byte[] crumbs = cookies;
    if (crumbs != null) {
      line(AsciiString.of("cookie"), crumbs, 0, crumbs.length);
    }
    reserve(2);
    lines[length++] = '\r';
    lines[length++] = '\n';
    return FieldLines.parse(Arrays.copyOf(lines, length), 0, count);
  }

  private void addCookie(AsciiString crumb) {
    byte[] before = cookies;
    if (before == null) {
      cookies = crumb.toByteArray();
      return;
    }
    byte[] joined = Arrays.copyOf(before, before.length + 2 + crumb.length());
    joined[before.length] = ';';
    joined[before.length + 1] = ' ';
    crumb.copy(0, joined, before.length + 2, crumb.length());
    cookies = joined;
  }

  private void line(AsciiString name, byte[] value, int offset, int valueLength) {
    reserve(name.length() + valueLength + 4);
    name.copy(0, lines, length, name.length());
    length += name.length();
    lines[length++] = ':';
    lines[length++] = ' ';
    System.arraycopy(value, offset, lines, length, valueLength);
    length += valueLength;
    lines[length++] = '\r';
    lines[length++] = '\n';
    count++;
  }

  private void reserve(int bytes) {
    if (lines.length - length < bytes) {
      lines = Arrays.copyOf(lines, Math.max(2 * lines.length, length + bytes));
    }
  }
}
