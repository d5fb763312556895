package dev.sluice.wire;

import dev.sluice.flow.ReadableBody;

/**
 * The origin's end of a tunnel: a connection behind its 101. Each direction lasts until its FIN.
 * Confined to the connection's loop.
 */
public interface Tunnel {

  /** What the origin says, from the first byte behind its 101 on. */
  ReadableBody fromOrigin();

  /** What the client says is to go there. Once. */
  void toOrigin(ReadableBody fromClient);
}
