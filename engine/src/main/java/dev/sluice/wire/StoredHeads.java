package dev.sluice.wire;

import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.wire.http1.Heads;
import dev.sluice.wire.http1.ResponseParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** Makes the heads that a store keeps: written once, so that a hit only copies. Thread-safe. */
public final class StoredHeads {

  /** What each hit, or this encoding, writes anew. */
  private static final long REWRITTEN =
      Heads.OF_THE_CONNECTION | FieldName.setOf(FieldName.AGE, FieldName.TRAILER);

  private static final int ESTIMATE = 512;

  private StoredHeads() {}

  /**
   * Encodes {@code out} for a body of {@code length} bytes; {@code added} has a Date where the head
   * has none.
   */
  public static EncodedHead encode(ResponseOut out, long length) {
    ResponseHead head = out.head();
    ByteBuf buffer = Unpooled.buffer(ESTIMATE);
    Heads.statusLine(buffer, head.status(), head.reason());
    Heads.fields(buffer, head.headers(), REWRITTEN | out.drop(), out.dropNames(), out.internal());
    buffer.writeBytes(out.added());
    if (head.status() != 204) {
      Heads.contentLength(buffer, length);
    }
    int written = buffer.writerIndex();
    buffer.writeShort(Heads.CRLF);
    byte[] bytes = ByteBufUtil.getBytes(buffer);
    return new EncodedHead(bytes, written, reading(bytes, head, length));
  }

  private static ResponseHead reading(byte[] bytes, ResponseHead written, long length) {
    int lines = 0;
    for (byte octet : bytes) {
      lines += octet == '\n' ? 1 : 0;
    }
    ResponseParser.Response parsed = ResponseParser.parse(bytes, lines, false);
    if (parsed == null) {
      throw new IllegalStateException("stored head: written malformed");
    }
    Framing framing = written.status() == 204 ? new Framing.None() : new Framing.Length(length);
    return new ResponseHead(
        parsed.head().status(), parsed.head().reason(), parsed.head().headers(), framing);
  }
}
