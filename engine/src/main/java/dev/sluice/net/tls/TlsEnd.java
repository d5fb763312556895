package dev.sluice.net.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;

/** How a channel ends where TLS may lie in between. Stateless; for the channel's own loop. */
public final class TlsEnd {

  private TlsEnd() {}

  /** Sends what is written, then says that no more comes; reading goes on. */
  public static void shutdownOutput(DuplexChannel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      channel.shutdownOutput();
    } else {
      tls.closeOutbound().addListener(told -> channel.shutdownOutput());
    }
  }

  /**
   * Closes without close_notify, so that the peer can tell a cut from an end (RFC 8446 6.1); what
   * was not sent is dropped.
   */
  public static void cut(Channel channel) {
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    if (tls == null) {
      channel.close();
    } else {
      tls.close();
    }
  }

  /**
   * Whether a peer that said close_notify can be answered still: BoringSSL's engine then has closed
   * both directions, as RFC 5246 7.2.1 had it.
   */
  public static boolean canAnswerBehindClose(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    return tls != null && !(tls.engine() instanceof ReferenceCountedOpenSslEngine);
  }

  /** Whether what is read and written here is encrypted. */
  public static boolean isSecure(Channel channel) {
    return channel.pipeline().get(SslHandler.class) != null;
  }
}
