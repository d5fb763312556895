package dev.sluice.wire.origin;

import dev.sluice.flow.ReadableBody;
import dev.sluice.outcome.Cause;
import dev.sluice.wire.Tunnel;
import dev.sluice.wire.http1.TunnelEnd;
import io.netty.channel.ChannelHandlerContext;

/**
 * An upstream's connection behind its 101: no attempt will use it again (field case W01). Its
 * client's side watches over its pace. Confined to the connection's loop.
 */
final class OriginTunnel implements Tunnel, TunnelEnd.Owner {

  private final OriginConnection connection;
  private final TunnelEnd end;

  OriginTunnel(ChannelHandlerContext ctx, OriginConnection connection) {
    this.connection = connection;
    this.end = new TunnelEnd(ctx, this);
  }

  TunnelEnd end() {
    return end;
  }

  @Override
  public ReadableBody fromOrigin() {
    return end.input();
  }

  @Override
  public void toOrigin(ReadableBody fromClient) {
    end.follow(fromClient);
  }

  @Override
  public void came(int bytes) {
    // Each byte is seen again where it is written to the client.
  }

  @Override
  public void wrote(int bytes) {
    // Each byte was seen where it came from the client.
  }

  @Override
  public void flushed() {
    // A tunnel in which nothing moves is ended by its client's side.
  }

  @Override
  public void over() {
    connection.tunnelOver();
  }

  @Override
  public void cut(Cause cause) {
    connection.fail(cause);
  }
}
