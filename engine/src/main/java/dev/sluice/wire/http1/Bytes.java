package dev.sluice.wire.http1;

/** The classes of bytes that RFC 9110 5.6.2 and RFC 9112 3 to 7 speak of. */
public final class Bytes {

  private static final byte TOKEN = 1;
  private static final byte VALUE = 2;
  private static final byte TARGET = 4;
  private static final byte[] CLASS = classes();

  private Bytes() {}

  /** tchar: what methods and field names are made of. */
  public static boolean isToken(byte b) {
    return (CLASS[b & 0xff] & TOKEN) != 0;
  }

  /** What a field value may hold: visible, space, tab and obs-text; never a control byte. */
  public static boolean isValue(byte b) {
    return (CLASS[b & 0xff] & VALUE) != 0;
  }

  /** What a request target may hold: visible ASCII; a fragment is not part of one. */
  public static boolean isTarget(byte b) {
    return (CLASS[b & 0xff] & TARGET) != 0;
  }

  public static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** The value of a hexadecimal digit, or -1. */
  static int hex(byte b) {
    if (b >= '0' && b <= '9') {
      return b - '0';
    }
    int lower = b | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  private static byte[] classes() {
    byte[] table = new byte[256];
    for (int b = 0; b < 256; b++) {
      boolean visible = b > 0x20 && b < 0x7f;
      boolean alphanumeric =
          (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
      if (alphanumeric || (visible && "!#$%&'*+-.^_`|~".indexOf(b) >= 0)) {
        table[b] |= TOKEN;
      }
      if (visible || b == ' ' || b == '\t' || b >= 0x80) {
        table[b] |= VALUE;
      }
      if (visible && b != '#') {
        table[b] |= TARGET;
      }
    }
    return table;
  }
}
