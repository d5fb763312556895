package dev.sluice.wire.http2;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.NameSet;
import dev.sluice.wire.http1.FieldLines;
import dev.sluice.wire.http1.Heads;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The field section of one message on its way out, in the form that Netty's HPACK encoder takes:
 * pseudo-headers, then fields with their names in lower case (RFC 9113 8.2). One object for all
 * messages of a connection. Confined to its loop.
 */
final class SentFields extends DefaultHttp2Headers {

  /** What a connection of HTTP/2 never says in a field (RFC 9113 8.2.2), nor copies. */
  static final long OF_THE_CONNECTION = Heads.OF_THE_CONNECTION | FieldName.TE.bit();

  /** Of each field (RFC 9113 6.5.2). */
  private static final int OVERHEAD = 32;

  private static final AsciiString STATUS = AsciiString.cached(":status");
  private static final AsciiString[] LOWER = lowerNames();
  private static final AsciiString[] STATUSES = new AsciiString[600];

  static {
    for (int status = 100; status < STATUSES.length; status++) {
      STATUSES[status] = AsciiString.cached(Integer.toString(status));
    }
  }

  private final List<CharSequence> names = new ArrayList<>();
  private final List<CharSequence> values = new ArrayList<>();

  SentFields() {
    super(false);
  }

  /** A new response's section. */
  SentFields response(int status) {
    reset();
    put(STATUS, STATUSES[status]);
    return this;
  }

  /** A new section without pseudo-headers, or for those of the caller. */
  SentFields reset() {
    names.clear();
    values.clear();
    return this;
  }

  SentFields put(CharSequence lowerName, CharSequence value) {
    names.add(lowerName);
    values.add(value);
    return this;
  }

  SentFields put(FieldName name, long value) {
    return put(LOWER[name.ordinal()], AsciiString.of(Long.toString(value)));
  }

  /** Copies the fields that are neither in {@code drop} nor in one of the other two sets. */
  SentFields putAll(Headers fields, long drop, List<String> dropNames, NameSet internal) {
    for (int i = 0; i < fields.size(); i++) {
      FieldName known = fields.known(i);
      if (known != null) {
        if ((known.bit() & drop) == 0) {
          put(LOWER[known.ordinal()], value(fields, i));
        }
      } else if (!Heads.isNamed(fields, i, dropNames, internal)) {
        put(AsciiString.of(fields.name(i).toLowerCase(Locale.ROOT)), value(fields, i));
      }
    }
    return this;
  }

  /** Copies field lines in HTTP/1.1's form, each ended by CRLF. */
  SentFields putLines(byte[] lines) {
    int at = 0;
    while (at < lines.length) {
      int colon = indexOf(lines, ':', at);
      int end = indexOf(lines, '\r', colon);
      String name = new String(lines, at, colon - at, StandardCharsets.ISO_8859_1);
      int value = colon + 1;
      while (lines[value] == ' ') {
        value++;
      }
      FieldName known = FieldName.find(name);
      put(
          known == null ? AsciiString.of(name.toLowerCase(Locale.ROOT)) : LOWER[known.ordinal()],
          new AsciiString(lines, value, end - value, true));
      at = end + 2;
    }
    return this;
  }

  /** How large a peer takes it for, before compression; bytes (RFC 9113 6.5.2). */
  long listSize() {
    long bytes = 0;
    for (int i = 0; i < names.size(); i++) {
      bytes += names.get(i).length() + values.get(i).length() + OVERHEAD;
    }
    return bytes;
  }

  private static int indexOf(byte[] bytes, char wanted, int from) {
    int at = from;
    while (bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  /** Copied: what the compression table keeps must not keep a whole head. */
  private static CharSequence value(Headers fields, int index) {
    return fields instanceof FieldLines lines
        ? new AsciiString(lines.valueBytes(index), false)
        : new AsciiString(fields.value(index).getBytes(StandardCharsets.ISO_8859_1), false);
  }

  private static AsciiString[] lowerNames() {
    var lower = new AsciiString[FieldName.values().length];
    for (FieldName name : FieldName.values()) {
      lower[name.ordinal()] = AsciiString.cached(name.lower());
    }
    return lower;
  }

  // What the encoder asks for.

  @Override
  public int size() {
    return names.size();
  }

  @Override
  public boolean isEmpty() {
    return names.isEmpty();
  }

  @Override
  public Iterator<Map.Entry<CharSequence, CharSequence>> iterator() {
    return new Entries();
  }

  /** Walks along the section; its own entry, as the encoder keeps none. */
  private final class Entries
      implements Iterator<Map.Entry<CharSequence, CharSequence>>,
          Map.Entry<CharSequence, CharSequence> {

    private int at = -1;

    @Override
    public boolean hasNext() {
      return at + 1 < names.size();
    }

    @Override
    public Map.Entry<CharSequence, CharSequence> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      at++;
      return this;
    }

    @Override
    public CharSequence getKey() {
      return names.get(at);
    }

    @Override
    public CharSequence getValue() {
      return values.get(at);
    }

    @Override
    public CharSequence setValue(CharSequence value) {
      throw new UnsupportedOperationException();
    }
  }
}
