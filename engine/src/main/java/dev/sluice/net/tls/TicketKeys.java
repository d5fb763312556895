package dev.sluice.net.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import java.security.SecureRandom;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one BoringSSL context's session tickets: the newest seals, it and the one before it
 * open (RFC 5077 5.5). They are drawn here, are nobody else's and never leave the process. The JDK
 * draws its own. Confined to whoever holds its context's lock.
 */
final class TicketKeys {

  /** As long as a session lasts, so the key before the newest is needed as long, and no longer. */
  static final Duration LIFETIME = Duration.ofHours(2);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final OpenSslSessionContext sessions;
  private long drawnNanos;
  private @Nullable OpenSslSessionTicketKey newest;

  /** Draws the first one. */
  TicketKeys(OpenSslSessionContext sessions, long nowNanos) {
    this.sessions = sessions;
    draw(nowNanos);
  }

  /** Draws another one where it is time. */
  void renew(long nowNanos) {
    long age = nowNanos - drawnNanos;
    if (age >= 2 * LIFETIME.toNanos()) {
      // Nobody looked for long: what the newest sealed is over as well.
      newest = null;
    }
    if (age >= LIFETIME.toNanos()) {
      draw(nowNanos);
    }
  }

  private void draw(long nowNanos) {
    var key =
        new OpenSslSessionTicketKey(
            random(OpenSslSessionTicketKey.NAME_SIZE),
            random(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
            random(OpenSslSessionTicketKey.AES_KEY_SIZE));
    OpenSslSessionTicketKey before = newest;
    if (before == null) {
      sessions.setTicketKeys(key);
    } else {
      sessions.setTicketKeys(key, before);
    }
    newest = key;
    drawnNanos = nowNanos;
  }

  private static byte[] random(int bytes) {
    byte[] drawn = new byte[bytes];
    RANDOM.nextBytes(drawn);
    return drawn;
  }
}
