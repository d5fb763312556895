package dev.sluice.wire;

/** How upstreams are spoken to: {@code origin.http_version}. */
public enum OriginProtocol {
  HTTP1,
  /** By prior knowledge over cleartext, by ALPN over TLS, and in no other way. */
  HTTP2,
  /** What ALPN agrees on. */
  AUTO
}
