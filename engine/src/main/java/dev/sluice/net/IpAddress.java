package dev.sluice.net;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An IP address in its one form: an IPv4 address that came mapped into IPv6 (RFC 4291 2.5.5.2) is
 * the IPv4 address, and a scope is no part of it. Immutable.
 */
public final class IpAddress {

  private static final int V4 = 4;
  private static final int V6 = 16;
  private static final int LONGEST = 45;

  private final byte[] bytes;

  private IpAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  public static IpAddress of(InetAddress address) {
    return of(address.getAddress());
  }

  /** From 4 or 16 bytes in network order. */
  public static IpAddress of(byte[] bytes) {
    return new IpAddress(isMapped(bytes) ? Arrays.copyOfRange(bytes, V6 - V4, V6) : bytes.clone());
  }

  /** The address that {@code text} is, without brackets; null where it is none. */
  public static @Nullable IpAddress parse(String text) {
    if (text.isEmpty() || text.length() > LONGEST || !isPlain(text)) {
      return null;
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
    return bytes == null ? null : of(bytes);
  }

  /** 32 or 128. */
  public int bits() {
    return bytes.length * Byte.SIZE;
  }

  /** Whether the first {@code count} bits are {@code other}'s; never of the other version. */
  boolean sharesBits(IpAddress other, int count) {
    if (bytes.length != other.bytes.length) {
      return false;
    }
    int whole = count / Byte.SIZE;
    if (Arrays.mismatch(bytes, 0, whole, other.bytes, 0, whole) >= 0) {
      return false;
    }
    int rest = count % Byte.SIZE;
    return rest == 0 || ((bytes[whole] ^ other.bytes[whole]) & 0xff) >> Byte.SIZE - rest == 0;
  }

  /** The same with all bits behind the first {@code count} at zero. */
  IpAddress masked(int count) {
    byte[] kept = new byte[bytes.length];
    for (int bit = 0; bit < count; bit++) {
      kept[bit / Byte.SIZE] |= (byte) (bytes[bit / Byte.SIZE] & 0x80 >> bit % Byte.SIZE);
    }
    return new IpAddress(kept);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpAddress that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** As it is written: IPv6 by RFC 5952. */
  @Override
  public String toString() {
    return NetUtil.bytesToIpAddress(bytes);
  }

  /** Netty's reader lets brackets and scopes pass. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '.' && c != ':' && Character.digit(c, 16) < 0 || c > 'f') {
        return false;
      }
    }
    return true;
  }

  private static boolean isMapped(byte[] bytes) {
    if (bytes.length != V6) {
      return false;
    }
    for (int i = 0; i < V6 - V4 - 2; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[10] == (byte) 0xff && bytes[11] == (byte) 0xff;
  }
}
