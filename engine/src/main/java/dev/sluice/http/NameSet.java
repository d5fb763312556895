package dev.sluice.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * A few field names outside the vocabulary, matched in any case over the bytes of a head without an
 * object. Immutable.
 */
public final class NameSet {

  /** No names. */
  public static final NameSet EMPTY = new NameSet(List.of(), List.of());

  private final List<byte[]> names;
  private final List<byte[]> prefixes;
  private final long lengths;

  private NameSet(List<byte[]> names, List<byte[]> prefixes) {
    this.names = names;
    this.prefixes = prefixes;
    long set = 0;
    for (byte[] name : names) {
      set |= 1L << name.length;
    }
    this.lengths = set;
  }

  /** Whole names, and beginnings of names; each shorter than 64 characters. */
  public static NameSet of(Collection<String> names, Collection<String> prefixes) {
    return new NameSet(lower(names), lower(prefixes));
  }

  /** Those of both. */
  public NameSet and(NameSet other) {
    return new NameSet(joined(names, other.names), joined(prefixes, other.prefixes));
  }

  private static List<byte[]> joined(List<byte[]> some, List<byte[]> others) {
    var all = new ArrayList<>(some);
    all.addAll(others);
    return List.copyOf(all);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return names.isEmpty() && prefixes.isEmpty();
  }

  /** Whether {@code name} is one of them. */
  public boolean contains(String name) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).length == name.length() && startsWith(name, names.get(i))) {
        return true;
      }
    }
    for (int i = 0; i < prefixes.size(); i++) {
      if (startsWith(name, prefixes.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWith(String name, byte[] lower) {
    if (name.length() < lower.length) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      char c = name.charAt(i);
      if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != lower[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the name between {@code start} and {@code end} is one of them. */
  public boolean contains(byte[] bytes, int start, int end) {
    int length = end - start;
    if ((lengths >>> length & 1) != 0 && length < Long.SIZE) {
      for (int i = 0; i < names.size(); i++) {
        if (names.get(i).length == length && startsWith(bytes, start, names.get(i))) {
          return true;
        }
      }
    }
    for (int i = 0; i < prefixes.size(); i++) {
      if (prefixes.get(i).length <= length && startsWith(bytes, start, prefixes.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWith(byte[] bytes, int start, byte[] lower) {
    for (int i = 0; i < lower.length; i++) {
      byte b = bytes[start + i];
      if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != lower[i]) {
        return false;
      }
    }
    return true;
  }

  private static List<byte[]> lower(Collection<String> texts) {
    var bytes = new ArrayList<byte[]>(texts.size());
    for (String text : texts) {
      bytes.add(text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII));
    }
    return List.copyOf(bytes);
  }
}
