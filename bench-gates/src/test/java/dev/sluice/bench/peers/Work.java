package dev.sluice.bench.peers;

/** What all contestants are asked to do. */
enum Work {
  /** An answer out of the store, on kept connections. */
  HIT("hit", "/hit/page", false),
  /** An answer that the origin is asked for each time, on kept connections. */
  PASS("pass", "/page", false),
  /** The same over TLS 1.3. */
  TLS("tls", "/page", true),
  /** The same, with a full handshake before each request. */
  HANDSHAKE("handshake", "/page", true);

  private final String code;
  private final String path;
  private final boolean secure;

  Work(String code, String path, boolean secure) {
    this.code = code;
    this.path = path;
    this.secure = secure;
  }

  /** The word in reports. */
  String code() {
    return code;
  }

  String path() {
    return path;
  }

  /** Whether it is over TLS. */
  boolean secure() {
    return secure;
  }

  /** Whether each request has a connection of its own. */
  boolean closes() {
    return this == HANDSHAKE;
  }

  /** Whether the origin sees each request. */
  boolean asksOrigin() {
    return this != HIT;
  }
}
