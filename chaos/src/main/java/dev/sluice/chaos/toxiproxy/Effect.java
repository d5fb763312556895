package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;

/**
 * One toxic at work on one direction of one connection; what it does not say passes. Confined to
 * the connection's event loop.
 */
interface Effect {

  /** Called once, before anything else. */
  default void begin(Site site) {}

  /** Takes over what came. */
  default void take(ByteBuf bytes, Site site) {
    site.pass(bytes);
  }

  /** The source has ended. */
  default void end(Site site) {
    site.end();
  }

  /** Another takes its place: passes on at once what it holds back. */
  default void replace(Site site) {}

  /** The toxic is taken away; the same as being replaced, unless it must end the connection. */
  default void remove(Site site) {
    replace(site);
  }

  /** What it may hold back before the source is to wait, in bytes. */
  default int holdMax() {
    return 0;
  }
}
