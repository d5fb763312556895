package dev.sluice.wire.client;

/** A client's connection that is being served, in any protocol. Confined to its loop. */
public interface ServedConnection {

  /** The process stops: idle, it goes now; busy, behind what is under way. */
  void drain();

  /** The process stops now. */
  void kill();
}
