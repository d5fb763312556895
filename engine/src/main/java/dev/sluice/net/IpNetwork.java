package dev.sluice.net;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A block of addresses, as {@code 10.0.0.0/8} or {@code 2001:db8::/32}; an address alone is a block
 * of one (PRX-20). Immutable.
 */
public record IpNetwork(IpAddress base, int prefix) {

  private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");

  /** The block that {@code text} is; null where it is none. */
  public static @Nullable IpNetwork parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    IpAddress base = IpAddress.parse(address);
    if (base == null) {
      return null;
    }
    if (slash < 0) {
      return new IpNetwork(base, base.bits());
    }
    String length = text.substring(slash + 1);
    if (!LENGTH.matcher(length).matches()) {
      return null;
    }
    // A mapped block, ::ffff:10.0.0.0/104, is written in bits of IPv6.
    boolean mapped = base.bits() == 32 && address.indexOf(':') >= 0;
    int prefix = Integer.parseInt(length) - (mapped ? 96 : 0);
    return prefix < 0 || prefix > base.bits() ? null : new IpNetwork(base, prefix);
  }

  public boolean contains(IpAddress address) {
    return address.sharesBits(base, prefix);
  }

  /** Whether no bit behind the prefix is set, so that the text is what it means. */
  public boolean isExact() {
    return base.masked(prefix).equals(base);
  }

  /** The same block with nothing set behind its prefix. */
  public IpNetwork exact() {
    return new IpNetwork(base.masked(prefix), prefix);
  }

  @Override
  public String toString() {
    return prefix == base.bits() ? base.toString() : base + "/" + prefix;
  }
}
