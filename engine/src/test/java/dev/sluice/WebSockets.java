package dev.sluice;

import java.util.Objects;

/** What tests of WebSockets have in common: a handshake, its answer, and a frame with its echo. */
final class WebSockets {

  static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
  static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  static final String SHAKE =
      "GET /ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
          + KEY
          + "\r\nSec-WebSocket-Protocol: chat.v2\r\n\r\n";
  static final String AGREED =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: "
          + ACCEPT
          + "\r\nSec-WebSocket-Protocol: chat.v2\r\n\r\n";
  static final String DENIED =
      "HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\nX-Why: no\r\n\r\nnope";

  /** A masked text frame "hi", and what an echo says of it (RFC 6455 5.7). */
  static final byte[] HI = {(byte) 0x81, (byte) 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2};

  static final byte[] ECHO = {(byte) 0x81, 2, 'h', 'i'};

  private WebSockets() {}

  static ProxyFile upgrades(ProxyFile file, int most) {
    return file.block("upgrade: { enabled: true, max_concurrent: " + most + " }");
  }

  /** How many there are now. */
  static int open(Sluice proxy) {
    return inFlight(proxy, "upgrade");
  }

  /** What there is now of what needs such a permit. */
  static int inFlight(Sluice proxy, String permit) {
    return Objects.requireNonNull(proxy.status().admissions().get(permit)).global().inFlight();
  }
}
