package dev.sluice.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the PROXY protocol's header, version 1 and 2, strictly: with it a proxy that passes bytes
 * on says whose bytes they are. Stateless.
 */
public final class ProxyHeader {

  /** What a connection's first bytes are. */
  public sealed interface Reading {}

  /** A header. */
  public record Whole(Source source) implements Reading {}

  /** The beginning of one. */
  public record Partial() implements Reading {}

  /** No header, or a broken one; {@code why} is one line. */
  public record Broken(String why) implements Reading {}

  /**
   * Who the bytes come from.
   *
   * @param address null where it is the proxy itself that speaks, as its health checks do
   */
  public record Source(@Nullable IpAddress address) {}

  /** Version 2 knows up to 64 KiB; what is meant for its additions stays far below this. */
  static final int V2_MAX = 4096;

  private static final int V1_MAX = 107;
  private static final byte[] V1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] V2 = {
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 'Q', 'U', 'I', 'T', 0x0a
  };
  private static final int V2_FIXED = 16;
  private static final int TLV_FIXED = 3;
  private static final int CRC_TLV = 0x03;
  private static final Pattern PORT = Pattern.compile("0|[1-9][0-9]{0,4}");
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})");

  private ProxyHeader() {}

  /** Looks at {@code bytes}; takes a whole header out of them, and nothing otherwise. */
  public static Reading read(ByteBuf bytes) {
    if (begins(bytes, V2)) {
      return bytes.readableBytes() < V2_FIXED ? new Partial() : readV2(bytes);
    }
    return begins(bytes, V1) ? readV1(bytes) : new Broken("no PROXY header");
  }

  private static boolean begins(ByteBuf bytes, byte[] with) {
    int length = Math.min(bytes.readableBytes(), with.length);
    for (int i = 0; i < length; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != with[i]) {
        return false;
      }
    }
    return true;
  }

  // Version 1: a line.

  private static Reading readV1(ByteBuf bytes) {
    int start = bytes.readerIndex();
    int seen = Math.min(bytes.readableBytes(), V1_MAX);
    int lineFeed = bytes.indexOf(start, start + seen, (byte) '\n');
    if (lineFeed < 0) {
      return seen < V1_MAX ? new Partial() : new Broken("a line of more than 107 bytes");
    }
    if (bytes.getByte(lineFeed - 1) != '\r') {
      return new Broken("a line without CR");
    }
    String line = bytes.toString(start, lineFeed - 1 - start, StandardCharsets.ISO_8859_1);
    Reading reading = readLine(line);
    if (reading instanceof Whole) {
      bytes.readerIndex(lineFeed + 1);
    }
    return reading;
  }

  private static Reading readLine(String line) {
    String[] words = line.split(" ", -1);
    if (words[1].equals("UNKNOWN")) {
      return new Whole(new Source(null));
    }
    boolean v6 = words[1].equals("TCP6");
    if (words.length != 6 || !v6 && !words[1].equals("TCP4")) {
      return new Broken("not TCP4 or TCP6 with four fields");
    }
    IpAddress source = address(words[2], v6);
    boolean sound = source != null && address(words[3], v6) != null;
    if (!sound || !isPort(words[4]) || !isPort(words[5])) {
      return new Broken("an address or a port is malformed");
    }
    return new Whole(new Source(source));
  }

  private static @Nullable IpAddress address(String text, boolean v6) {
    boolean kind = v6 ? text.indexOf(':') >= 0 : IPV4.matcher(text).matches();
    return kind ? IpAddress.parse(text) : null;
  }

  private static boolean isPort(String text) {
    return PORT.matcher(text).matches() && Integer.parseInt(text) <= 0xffff;
  }

  // Version 2: fixed fields, addresses, additions.

  private static Reading readV2(ByteBuf bytes) {
    int start = bytes.readerIndex();
    int versionAndCommand = bytes.getUnsignedByte(start + 12);
    int length = bytes.getUnsignedShort(start + 14);
    if (versionAndCommand != 0x20 && versionAndCommand != 0x21) {
      return new Broken("another version or command than 2, LOCAL or PROXY");
    }
    if (length > V2_MAX) {
      return new Broken(length + " bytes are announced, more than " + V2_MAX);
    }
    if (bytes.readableBytes() < V2_FIXED + length) {
      return new Partial();
    }
    byte[] header = ByteBufUtil.getBytes(bytes, start, V2_FIXED + length);
    Reading reading = readV2(header, versionAndCommand == 0x21);
    if (reading instanceof Whole) {
      bytes.skipBytes(header.length);
    }
    return reading;
  }

  private static Reading readV2(byte[] header, boolean proxied) {
    if (!proxied) {
      return new Whole(new Source(null));
    }
    return switch (header[13]) {
      case 0x11 -> readAddresses(header, 4);
      case 0x21 -> readAddresses(header, 16);
      // Unspecified, datagrams, Unix sockets: nobody's address that a client here can have.
      case 0x00, 0x12, 0x22, 0x31, 0x32 -> new Whole(new Source(null));
      default -> new Broken("an unknown address family or transport");
    };
  }

  private static Reading readAddresses(byte[] header, int width) {
    int end = V2_FIXED + 2 * width + 4;
    if (header.length < end) {
      return new Broken("too short for its addresses");
    }
    if (!additionsAreSound(header, end)) {
      return new Broken("an addition is malformed, or the checksum is wrong");
    }
    byte[] source = Arrays.copyOfRange(header, V2_FIXED, V2_FIXED + width);
    return new Whole(new Source(IpAddress.of(source)));
  }

  private static boolean additionsAreSound(byte[] header, int from) {
    int at = from;
    while (at < header.length) {
      if (at + TLV_FIXED > header.length) {
        return false;
      }
      int length = (header[at + 1] & 0xff) << 8 | header[at + 2] & 0xff;
      int value = at + TLV_FIXED;
      if (value + length > header.length) {
        return false;
      }
      if (header[at] == CRC_TLV && (length != 4 || !checksumFits(header, value))) {
        return false;
      }
      at = value + length;
    }
    return true;
  }

  /** Over the whole header, with its own four bytes as zero. */
  private static boolean checksumFits(byte[] header, int at) {
    byte[] summed = header.clone();
    Arrays.fill(summed, at, at + 4, (byte) 0);
    var sum = new CRC32C();
    sum.update(summed);
    long told = 0;
    for (int i = 0; i < 4; i++) {
      told = told << 8 | header[at + i] & 0xff;
    }
    return sum.getValue() == told;
  }
}
