package dev.sluice.wire.http2;

/** Which end of a connection we are (RFC 9113 2.2). */
enum Role {
  /** Towards a client: it begins streams, and says what it likes. */
  SERVER,
  /** Towards an upstream: we begin streams, and chose it ourselves. */
  CLIENT
}
