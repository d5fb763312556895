package dev.sluice.wire.http1;

import dev.sluice.flow.Trailers;
import dev.sluice.http.FieldName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/** Which trailer fields are carried on. Stateless. */
public final class TrailerFields {

  /** Trailer fields that would change framing, routing or who is asking (RFC 9110 6.5.1). */
  private static final long FORBIDDEN =
      FieldName.setOf(
          FieldName.TRANSFER_ENCODING,
          FieldName.CONTENT_LENGTH,
          FieldName.CONTENT_ENCODING,
          FieldName.CONTENT_TYPE,
          FieldName.HOST,
          FieldName.CONNECTION,
          FieldName.KEEP_ALIVE,
          FieldName.PROXY_CONNECTION,
          FieldName.UPGRADE,
          FieldName.TE,
          FieldName.TRAILER,
          FieldName.EXPECT,
          FieldName.RANGE,
          FieldName.AUTHORIZATION,
          FieldName.PROXY_AUTHORIZATION,
          FieldName.PROXY_AUTHENTICATE,
          FieldName.COOKIE,
          FieldName.SET_COOKIE,
          FieldName.CACHE_CONTROL,
          FieldName.VIA,
          FieldName.FORWARDED,
          FieldName.X_FORWARDED_FOR,
          FieldName.X_FORWARDED_HOST,
          FieldName.X_FORWARDED_PROTO);

  private TrailerFields() {}

  /** What of a trailer section goes on. */
  public static Trailers kept(FieldLines lines) {
    ByteBuf out = Unpooled.buffer();
    for (int i = 0; i < lines.size(); i++) {
      FieldName known = lines.known(i);
      if (known == null || (known.bit() & FORBIDDEN) == 0) {
        lines.write(i, out);
      }
    }
    byte[] kept = Arrays.copyOf(out.array(), out.writerIndex());
    return kept.length == 0 ? Trailers.NONE : new Trailers(kept);
  }
}
