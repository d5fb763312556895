package dev.sluice.wire.client;

import dev.sluice.outcome.Cause;
import dev.sluice.wire.http1.TunnelEnd;
import io.netty.channel.ChannelHandlerContext;

/**
 * A client's connection behind a 101; here the tunnel's bytes are counted and its pace is watched.
 * Confined to the connection's loop.
 */
final class ClientTunnel implements TunnelEnd.Owner {

  private final ClientConnection connection;
  private final ClientAnswer answer;
  private final ClientTimeouts timeouts;
  private final TunnelEnd end;

  ClientTunnel(
      ChannelHandlerContext ctx,
      ClientConnection connection,
      ClientAnswer answer,
      ClientTimeouts timeouts) {
    this.connection = connection;
    this.answer = answer;
    this.timeouts = timeouts;
    this.end = new TunnelEnd(ctx, this);
  }

  TunnelEnd end() {
    return end;
  }

  @Override
  public void came(int bytes) {
    timeouts.tunnelMoved();
  }

  @Override
  public void wrote(int bytes) {
    answer.carried(bytes);
    timeouts.tunnelMoved();
  }

  @Override
  public void flushed() {
    timeouts.watch();
  }

  @Override
  public void over() {
    connection.cut(Cause.COMPLETE);
  }

  @Override
  public void cut(Cause cause) {
    connection.cut(cause);
  }
}
