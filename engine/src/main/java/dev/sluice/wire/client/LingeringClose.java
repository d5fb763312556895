package dev.sluice.wire.client;

import dev.sluice.net.tls.TlsEnd;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;

/**
 * RFC 9112 9.6: half-close behind the last answer and read on for a while, so that the answer is
 * not reset away. Confined to its connection's loop.
 */
public final class LingeringClose {

  /** What an upload that nobody wants may still send before the connection is cut (DEC-32). */
  private static final int BYTES_MAX = 256 * 1024;

  private final Channel channel;
  private int dropped;

  public LingeringClose(Channel channel) {
    this.channel = channel;
  }

  /** False where the channel cannot be closed by halves. */
  public boolean begin() {
    if (!(channel instanceof DuplexChannel duplex)) {
      return false;
    }
    TlsEnd.shutdownOutput(duplex);
    channel.config().setAutoRead(true);
    return true;
  }

  /** Takes {@code bytes}; false once more came than may. */
  public boolean drop(ByteBuf bytes) {
    dropped += bytes.readableBytes();
    bytes.release();
    return dropped <= BYTES_MAX;
  }
}
