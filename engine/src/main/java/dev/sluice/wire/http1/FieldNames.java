package dev.sluice.wire.http1;

import dev.sluice.http.FieldName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the vocabulary's constant for the bytes of a field name, in any case, without an object.
 */
public final class FieldNames {

  private static final int SLOTS = 512;
  private static final @Nullable FieldName[] TABLE = new @Nullable FieldName[SLOTS];
  private static final byte[][] LOWER = new byte[FieldName.values().length][];

  static {
    for (FieldName name : FieldName.values()) {
      byte[] lower = name.lower().getBytes(StandardCharsets.US_ASCII);
      LOWER[name.ordinal()] = lower;
      int slot = slot(lower, 0, lower.length);
      while (TABLE[slot] != null) {
        slot = (slot + 1) % SLOTS;
      }
      TABLE[slot] = name;
    }
  }

  private FieldNames() {}

  /**
   * The name between {@code start} and {@code end}, which are apart; null outside the vocabulary.
   */
  public static @Nullable FieldName find(byte[] bytes, int start, int end) {
    int slot = slot(bytes, start, end);
    for (FieldName name = TABLE[slot]; name != null; name = TABLE[slot]) {
      if (equalsLower(LOWER[name.ordinal()], bytes, start, end)) {
        return name;
      }
      slot = (slot + 1) % SLOTS;
    }
    return null;
  }

  private static int slot(byte[] bytes, int start, int end) {
    int length = end - start;
    int first = bytes[start] | 0x20;
    int middle = bytes[start + length / 2] | 0x20;
    int last = bytes[end - 1] | 0x20;
    int hash = length * 131 + first * 31 + middle * 17 + last * 7;
    return (hash ^ hash >>> 9) & SLOTS - 1;
  }

  private static boolean equalsLower(byte[] lower, byte[] bytes, int start, int end) {
    if (lower.length != end - start) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      byte b = bytes[start + i];
      if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != lower[i]) {
        return false;
      }
    }
    return true;
  }
}
