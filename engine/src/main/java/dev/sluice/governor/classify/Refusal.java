package dev.sluice.governor.classify;

import dev.sluice.outcome.Cause;

/** Why the classifier turns a request away before it costs anything. */
public enum Refusal {
  /** CONNECT and TRACE (DEC-46). */
  METHOD(Cause.METHOD_NOT_ALLOWED),
  /** A host that {@code server.hosts} does not name (DEC-46). */
  HOST(Cause.MISDIRECTED),
  /** {@code *} with another method than OPTIONS (RFC 9112 3.2.4). */
  ASTERISK(Cause.BAD_REQUEST),
  /** A WebSocket handshake while upgrades are off (DEC-41). */
  UPGRADE(Cause.UPGRADE_OFF);

  private final Cause cause;

  Refusal(Cause cause) {
    this.cause = cause;
  }

  /** The row of the table of endings; it knows the status. */
  public Cause cause() {
    return cause;
  }
}
