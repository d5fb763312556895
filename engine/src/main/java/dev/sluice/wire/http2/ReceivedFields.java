package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes header blocks with Netty's HPACK (RFC 7541) into a plain list in the order of the fields,
 * which is where a pseudo-header in the wrong place shows. Nothing is judged here. Confined to its
 * connection's loop.
 */
final class ReceivedFields {

  /** What a block turned out to be. */
  enum Decoded {
    FIELDS,
    /** Larger than allowed; the compression state is in step all the same. */
    TOO_LARGE,
    /** Not HPACK: the connection cannot go on (RFC 9113 4.3). */
    BROKEN
  }

  private final List<AsciiString> names = new ArrayList<>();
  private final List<AsciiString> values = new ArrayList<>();
  private final Decoder decoder;

  /** Field sections of {@code maxSize} bytes at most, as RFC 9113 6.5.2 counts them. */
  ReceivedFields(int maxSize) {
    this.decoder = new Decoder(maxSize, new Collector(this));
  }

  /** Reads {@code block} to its end. */
  Decoded decode(int stream, ByteBuf block) {
    clear();
    try {
      decoder.decodeHeaders(stream, block);
      return Decoded.FIELDS;
    } catch (Http2Exception e) {
      clear();
      return e instanceof Http2Exception.HeaderListSizeException
          ? Decoded.TOO_LARGE
          : Decoded.BROKEN;
    }
  }

  int size() {
    return names.size();
  }

  AsciiString name(int index) {
    return names.get(index);
  }

  AsciiString value(int index) {
    return values.get(index);
  }

  /** Lets go of what was decoded. */
  void clear() {
    names.clear();
    values.clear();
  }

  private void add(CharSequence name, CharSequence value) {
    names.add(AsciiString.of(name));
    values.add(AsciiString.of(value));
  }

  /** Netty's decoder with a collector of ours. */
  private static final class Decoder extends DefaultHttp2HeadersDecoder {

    private final Collector collector;

    Decoder(int maxSize, Collector collector) {
      super(false, maxSize);
      this.collector = collector;
    }

    @Override
    protected Http2Headers newHeaders() {
      return collector;
    }
  }

  /** Takes what the decoder adds. */
  private static final class Collector extends DefaultHttp2Headers {

    private final ReceivedFields fields;

    Collector(ReceivedFields fields) {
      super(false);
      this.fields = fields;
    }

    @Override
    public Http2Headers add(CharSequence name, CharSequence value) {
      fields.add(name, value);
      return this;
    }
  }
}
