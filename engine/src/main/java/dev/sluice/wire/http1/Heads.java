package dev.sluice.wire.http1;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.NameSet;
import dev.sluice.http.WebSocketHandshake;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Writes heads in HTTP/1.1's form (RFC 9112 2 to 6). Thread-safe. */
public final class Heads {

  public static final int CRLF = '\r' << 8 | '\n';

  /** What each connection says for itself, so that it is never copied from another's head. */
  public static final long OF_THE_CONNECTION =
      FieldName.setOf(
          FieldName.CONTENT_LENGTH,
          FieldName.TRANSFER_ENCODING,
          FieldName.CONNECTION,
          FieldName.KEEP_ALIVE,
          FieldName.PROXY_CONNECTION,
          FieldName.UPGRADE);

  private static final byte[] VERSION = ascii("HTTP/1.1 ");
  private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
  private static final byte[] AGE = ascii("Age: ");
  private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
  private static final byte[] CLOSE = ascii("Connection: close\r\n");
  private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
  private static final byte[] WEB_SOCKET =
      ascii("Connection: Upgrade\r\nUpgrade: " + WebSocketHandshake.PROTOCOL + "\r\n");
  private static final byte[] OK = ascii("HTTP/1.1 200 OK\r\n");

  private Heads() {}

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  public static void statusLine(ByteBuf out, int status, String reason) {
    if (status == 200 && reason.equals("OK")) {
      out.writeBytes(OK);
      return;
    }
    out.writeBytes(VERSION);
    digits(out, status);
    out.writeByte(' ');
    text(out, reason);
    out.writeShort(CRLF);
  }

  public static void requestLine(ByteBuf out, String method, String target) {
    ByteBufUtil.writeAscii(out, method);
    out.writeByte(' ');
    ByteBufUtil.writeAscii(out, target);
    out.writeByte(' ');
    out.writeBytes(VERSION, 0, VERSION.length - 1);
    out.writeShort(CRLF);
  }

  /** Copies the fields that are neither in {@code drop} nor in {@code dropNames}. */
  public static void fields(ByteBuf out, Headers fields, long drop, List<String> dropNames) {
    fields(out, fields, drop, dropNames, NameSet.EMPTY);
  }

  /** Copies the fields that are in none of the three sets. */
  public static void fields(
      ByteBuf out, Headers fields, long drop, List<String> dropNames, NameSet internal) {
    for (int i = 0; i < fields.size(); i++) {
      FieldName known = fields.known(i);
      if (known != null) {
        if ((known.bit() & drop) == 0) {
          line(out, fields, i);
        }
      } else if (!isNamed(fields, i, dropNames, internal)) {
        line(out, fields, i);
      }
    }
  }

  /** Whether the name of line {@code index}, which the vocabulary does not have, is in a set. */
  public static boolean isNamed(
      Headers fields, int index, List<String> dropNames, NameSet internal) {
    if (!internal.isEmpty() && fields.isNamedIn(index, internal)) {
      return true;
    }
    return !dropNames.isEmpty() && dropNames.contains(fields.name(index).toLowerCase(Locale.ROOT));
  }

  public static void field(ByteBuf out, String name, String value) {
    text(out, name);
    out.writeShort(':' << 8 | ' ');
    text(out, value);
    out.writeShort(CRLF);
  }

  public static void contentLength(ByteBuf out, long bytes) {
    out.writeBytes(CONTENT_LENGTH);
    digits(out, bytes);
    out.writeShort(CRLF);
  }

  public static void age(ByteBuf out, long seconds) {
    out.writeBytes(AGE);
    digits(out, seconds);
    out.writeShort(CRLF);
  }

  public static void chunked(ByteBuf out) {
    out.writeBytes(CHUNKED);
  }

  public static void close(ByteBuf out) {
    out.writeBytes(CLOSE);
  }

  public static void keepAlive(ByteBuf out) {
    out.writeBytes(KEEP_ALIVE);
  }

  /** Of a handshake, and of the 101 that agrees to it (RFC 9110 7.8). */
  public static void webSocket(ByteBuf out) {
    out.writeBytes(WEB_SOCKET);
  }

  /** A field value may hold any byte from 0x80 on; it goes out as it came in. */
  private static void text(ByteBuf out, String text) {
    for (int i = 0; i < text.length(); i++) {
      out.writeByte(text.charAt(i));
    }
  }

  private static void line(ByteBuf out, Headers fields, int index) {
    if (fields instanceof FieldLines lines) {
      lines.write(index, out);
    } else {
      field(out, fields.name(index), fields.value(index));
    }
  }

  private static void digits(ByteBuf out, long number) {
    if (number >= 10) {
      digits(out, number / 10);
    }
    out.writeByte((byte) ('0' + number % 10));
  }
}
