package dev.sluice.governor.reuse;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/**
 * The query parameter {@code _rsc}, in which a Next.js client repeats its selector fields as a
 * digest and which the origin checks against them: 12 octets of a SHA-256 in base64url, or djb2 in
 * base 36 from a page without a secure context. Confined to one event loop.
 */
final class RscParameter {

  /** The selector fields in the digest's order. */
  static final List<KeyField> SELECTORS =
      List.of(
          KeyField.of("next-router-prefetch"),
          KeyField.of("next-router-segment-prefetch"),
          KeyField.of("next-router-state-tree"),
          KeyField.of("next-url"));

  private static final int PREFETCH = 0;
  private static final int SEGMENT = 1;
  private static final int STRONG_LENGTH = 16;
  private static final int WEAK_LENGTH = 5;
  private static final int DIGEST = 32;
  private static final String BASE64URL =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final String BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";

  private final MessageDigest sha256 = sha256();
  private final byte[] digest = new byte[DIGEST];
  private final char[] weakDigits = new char[7];
  private final FieldValue value = new FieldValue();
  private byte[] input = new byte[256];
  private int length;
  private int weak;

  /** Whether the part of {@code query} is what the origin expects with these fields. */
  boolean fits(String query, int from, int to, Headers headers) {
    return switch (to - from) {
      case 0 -> !read(headers);
      case STRONG_LENGTH -> read(headers) && isStrong(query, from);
      default -> to - from <= WEAK_LENGTH && read(headers) && isWeak(query, from, to);
    };
  }

  /** The value that goes with these fields; empty where none of them is there. */
  String of(Headers headers) {
    if (!read(headers)) {
      return "";
    }
    digest();
    var text = new StringBuilder(STRONG_LENGTH);
    for (int i = 0; i < STRONG_LENGTH; i++) {
      text.append(strongAt(i));
    }
    return text.toString();
  }

  /** Collects the digest's input; false where no selector counts. */
  private boolean read(Headers headers) {
    length = 0;
    weak = 5381;
    boolean any = false;
    for (int i = 0; i < SELECTORS.size(); i++) {
      if (i > 0) {
        add(',');
      }
      boolean counts = selector(i, headers);
      if (!counts) {
        add('0');
      }
      any |= counts;
    }
    return any;
  }

  /** The origin takes a prefetch of 1, 2 or 3 and a segment that is not empty for one at all. */
  private boolean selector(int selector, Headers headers) {
    KeyField field = SELECTORS.get(selector);
    FieldName name = field.known();
    if (name == null || !headers.has(name)) {
      return false;
    }
    int start = length;
    int before = weak;
    boolean first = true;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == name) {
        if (!first) {
          add(',');
          add(' ');
        }
        add(value.at(headers, i));
        first = false;
      }
    }
    boolean counts =
        switch (selector) {
          case PREFETCH -> length == start + 1 && input[start] >= '1' && input[start] <= '3';
          case SEGMENT -> length > start;
          default -> true;
        };
    if (!counts) {
      length = start;
      weak = before;
    }
    return counts;
  }

  private void add(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      add(text.charAt(i));
    }
  }

  /** A field's characters are octets, which the origin reads as ISO 8859-1 and digests as UTF-8. */
  private void add(char c) {
    weak = weak * 33 + c;
    if (length + 2 > input.length) {
      input = Arrays.copyOf(input, 2 * input.length);
    }
    if (c < 0x80) {
      input[length++] = (byte) c;
    } else {
      input[length++] = (byte) (0xc0 | c >> 6 & 0x1f);
      input[length++] = (byte) (0x80 | c & 0x3f);
    }
  }

  private boolean isStrong(String query, int from) {
    digest();
    for (int i = 0; i < STRONG_LENGTH; i++) {
      if (query.charAt(from + i) != strongAt(i)) {
        return false;
      }
    }
    return true;
  }

  private void digest() {
    sha256.update(input, 0, length);
    try {
      sha256.digest(digest, 0, DIGEST);
    } catch (DigestException e) {
      throw new IllegalStateException("a SHA-256 has 32 octets", e);
    }
  }

  /**
   * Six bits a character; 12 octets are 16 of them without a rest, so that of the octet behind
   * those nothing is left.
   */
  private char strongAt(int index) {
    int bit = index * 6;
    int at = bit >> 3;
    int pair = (digest[at] & 0xff) << 8 | digest[at + 1] & 0xff;
    return BASE64URL.charAt(pair >> 10 - (bit & 7) & 0x3f);
  }

  private boolean isWeak(String query, int from, int to) {
    int digits = 0;
    long rest = Integer.toUnsignedLong(weak);
    do {
      weakDigits[digits++] = BASE36.charAt((int) (rest % 36));
      rest /= 36;
    } while (rest > 0);
    if (to - from != Math.min(digits, WEAK_LENGTH)) {
      return false;
    }
    for (int i = 0; i < to - from; i++) {
      if (query.charAt(from + i) != weakDigits[digits - 1 - i]) {
        return false;
      }
    }
    return true;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
