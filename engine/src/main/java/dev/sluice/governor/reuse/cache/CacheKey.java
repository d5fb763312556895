package dev.sluice.governor.reuse.cache;

import java.util.Arrays;

/**
 * The key of one answer: a request's identity rendered to bytes. Two keys are equal when their
 * bytes are; the hash only finds the bucket (DEC-22). Keys have an order, so that a bucket which
 * somebody filled on purpose with keys of one hash is searched as a tree. Immutable.
 */
public final class CacheKey implements Comparable<CacheKey> {

  private final byte[] bytes;
  private final int hash;

  /** The first {@code length} bytes of {@code rendered}, copied. */
  public CacheKey(byte[] rendered, int length) {
    this.bytes = Arrays.copyOf(rendered, length);
    this.hash = Arrays.hashCode(bytes);
  }

  /** How many bytes it takes. */
  public int length() {
    return bytes.length;
  }

  /** The rendered key; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof CacheKey key && hash == key.hash && Arrays.equals(bytes, key.bytes));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public int compareTo(CacheKey other) {
    return Arrays.compare(bytes, other.bytes);
  }
}
