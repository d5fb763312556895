package dev.sluice.governor.reuse;

import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.http.Headers;

/**
 * Where keys are rendered: a buffer and the readers that a rendering needs, kept so that a request
 * costs its key and nothing else. One for each event loop, and confined to it.
 *
 * <p>Text is written in modified UTF-8 (java.io.DataInput), in which no octet is zero, whatever the
 * characters; zero ends each component. So no component can contain what separates it from the next
 * (KEY-23).
 */
public final class KeyWriter {

  /** Octets of the longest key; a longer one is not made, and its request goes alone. */
  static final int LONGEST = 8 << 10;

  private static final int END = 0;

  private final byte[] bytes = new byte[LONGEST];
  private final FieldValue value = new FieldValue();
  private final QueryPairs query = new QueryPairs();
  private final RscParameter rsc = new RscParameter();
  private int length;
  private boolean full;

  void begin() {
    length = 0;
    full = false;
  }

  /** A view that any reader may move; it stays where it was put until then. */
  FieldValue value() {
    return value;
  }

  QueryPairs query() {
    return query;
  }

  RscParameter rsc() {
    return rsc;
  }

  void octet(int octet) {
    if (length == LONGEST) {
      full = true;
    } else {
      bytes[length++] = (byte) octet;
    }
  }

  /** Ends a component. */
  void end() {
    octet(END);
  }

  void text(CharSequence text) {
    text(text, 0, text.length());
  }

  void text(CharSequence text, int from, int to) {
    for (int i = from; i < to; i++) {
      character(text.charAt(i));
    }
  }

  void lowerText(CharSequence text, int from, int to) {
    for (int i = from; i < to; i++) {
      character(Lexis.lower(text.charAt(i)));
    }
  }

  private void character(char c) {
    if (c >= 1 && c < 0x80) {
      octet(c);
    } else if (c < 0x800) {
      octet(0xc0 | c >> 6);
      octet(0x80 | c & 0x3f);
    } else {
      octet(0xe0 | c >> 12);
      octet(0x80 | c >> 6 & 0x3f);
      octet(0x80 | c & 0x3f);
    }
  }

  void number(int number) {
    if (number >= 10) {
      number(number / 10);
    }
    octet('0' + number % 10);
  }

  /** A field with its value, or a word that it was absent. */
  void field(KeyField field, Headers headers) {
    if (!value(field, headers)) {
      absent(field);
    }
  }

  /** A field with its value where there is one. */
  void fieldIfPresent(KeyField field, Headers headers) {
    value(field, headers);
  }

  void absent(KeyField field) {
    octet(KeyParts.ABSENT);
    text(field.lower());
    end();
  }

  /** A field that has a value of our own. */
  void field(KeyField field, String own) {
    name(field);
    text(own);
    end();
  }

  private void name(KeyField field) {
    octet(KeyParts.FIELD);
    text(field.lower());
    octet(':');
  }

  /** All lines of the field as one list (RFC 9110 5.3), or nothing. */
  private boolean value(KeyField field, Headers headers) {
    if (!field.mayBeIn(headers)) {
      return false;
    }
    boolean found = false;
    for (int i = 0; i < headers.size(); i++) {
      if (field.names(headers, i)) {
        if (found) {
          text(", ");
        } else {
          name(field);
        }
        text(value.at(headers, i));
        found = true;
      }
    }
    if (found) {
      end();
    }
    return found;
  }

  int length() {
    return length;
  }

  /** Whether something did not fit. */
  boolean isFull() {
    return full;
  }

  /** What was written since {@link #begin}. */
  CacheKey key() {
    return new CacheKey(bytes, length);
  }

  /** Begins with the first {@code prefix} octets of a key that exists. */
  void begin(CacheKey key, int prefix) {
    begin();
    System.arraycopy(key.bytes(), 0, bytes, 0, prefix);
    length = prefix;
  }
}
