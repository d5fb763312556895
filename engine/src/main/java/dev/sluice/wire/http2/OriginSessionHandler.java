package dev.sluice.wire.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Netty's HTTP/2 codec in the client's role, for one {@link OriginSession}. Confined to its
 * channel's loop.
 */
final class OriginSessionHandler extends Http2ConnectionHandler {

  /** A stream's window is a relayed body's (DEC-26, DEC-50). */
  private static final int WINDOW = 64 * 1024;

  /** Larger heads than may be are read to their end, so that one costs its own stream only. */
  private static final int HEADROOM = 4;

  /** Resets in each half minute: an origin that resets more is not to be served by (F01). */
  private static final int RESETS = 400;

  private static final int RESET_SECONDS = 30;
  private static final int EMPTY_FRAMES = 16;
  private static final int SMALL_CONTINUATIONS = 16;
  private static final int CONTROL_FRAMES = 1_000;

  private static final AsciiString AUTHORIZATION = AsciiString.cached("authorization");
  private static final AsciiString COOKIE = AsciiString.cached("cookie");

  private final OriginSession session;

  private OriginSessionHandler(
      OriginSession session,
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings) {
    super(decoder, encoder, settings);
    this.session = session;
  }

  /** Heads of {@code maxHeader} bytes at most. */
  static OriginSessionHandler of(OriginSession session, int maxHeader) {
    return new Builder(session, maxHeader).build();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    session.begin(new OriginWriter(this, ctx));
    super.handlerAdded(ctx);
    ctx.flush();
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    super.channelActive(ctx);
    ctx.flush();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    session.readComplete();
    super.channelReadComplete(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    session.lost();
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof IOException) {
      session.lost();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException error) {
    session.streamError(error.streamId(), isTooLarge(error));
    super.onStreamError(ctx, outbound, cause, error);
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      @Nullable Http2Exception error) {
    if (error == null) {
      session.failed(cause);
    }
    // First the GOAWAY that tells the upstream why.
    super.onConnectionError(ctx, outbound, cause, error);
    ctx.flush();
    session.connectionError(error != null && isTooLarge(error));
  }

  private static boolean isTooLarge(Http2Exception error) {
    return error instanceof Http2Exception.HeaderListSizeException;
  }

  /** Hands frames on. */
  private static final class Frames extends Http2FrameAdapter {

    private final OriginSession session;

    Frames(OriginSession session) {
      this.session = session;
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean last) {
      return session.data(id, data, padding, last);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int id, Http2Headers headers, int padding, boolean last) {
      session.headers(id, headers, last);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int id,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean last) {
      session.headers(id, headers, last);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int id, long errorCode) {
      session.resetByOrigin(id, errorCode);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
      session.settingsCame();
    }
  }

  /** Hands on what becomes of streams. */
  private static final class Streams extends Http2ConnectionAdapter {

    private final OriginSession session;

    Streams(OriginSession session) {
      this.session = session;
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
      session.streamClosed(stream.id());
    }

    @Override
    public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
      session.goneAway(lastStreamId);
    }
  }

  private static final class Builder
      extends AbstractHttp2ConnectionHandlerBuilder<OriginSessionHandler, Builder> {

    private final OriginSession session;

    Builder(OriginSession session, int maxHeader) {
      this.session = session;
      var connection = new DefaultHttp2Connection(false);
      // DEC-50: the connection's window refills on receipt, so that no reader stalls another.
      connection
          .local()
          .flowController(
              new DefaultHttp2LocalFlowController(
                  connection, DefaultHttp2LocalFlowController.DEFAULT_WINDOW_UPDATE_RATIO, true));
      connection.addListener(new Streams(session));
      connection(connection);
      initialSettings(
          Http2Settings.defaultSettings()
              .pushEnabled(false)
              .initialWindowSize(WINDOW)
              .maxHeaderListSize((long) HEADROOM * maxHeader));
      frameListener(new Frames(session));
      encoderEnforceMaxConcurrentStreams(false);
      encoderEnforceMaxQueuedControlFrames(CONTROL_FRAMES);
      decoderEnforceMaxConsecutiveEmptyDataFrames(EMPTY_FRAMES);
      decoderEnforceMaxRstFramesPerWindow(RESETS, RESET_SECONDS);
      decoderEnforceMaxSmallContinuationFrames(SMALL_CONTINUATIONS);
      // RFC 7541 7.1.3: what is worth guessing is not put where a guess could be tried.
      headerSensitivityDetector(
          (name, value) -> AUTHORIZATION.contentEquals(name) || COOKIE.contentEquals(name));
    }

    @Override
    protected OriginSessionHandler build() {
      return super.build();
    }

    @Override
    protected OriginSessionHandler build(
        Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
      encoder.flowController().listener(stream -> session.writable(stream.id()));
      return new OriginSessionHandler(session, decoder, encoder, settings);
    }
  }
}
