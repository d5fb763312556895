package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;

/**
 * Lets everything through: what a toxic does to a connection that it does not strike. Stateless.
 */
final class Passing implements Effect {

  @Override
  public void begin(Site site) {}

  @Override
  public void take(ByteBuf bytes, Site site) {
    site.pass(bytes);
  }

  @Override
  public void end(Site site) {
    site.end();
  }

  @Override
  public void replace(Site site) {}
}
