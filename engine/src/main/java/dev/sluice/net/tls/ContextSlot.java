package dev.sluice.net.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The context in force, which may be replaced while others make connections of it; an engine holds
 * on to the context it was made of. Thread-safe.
 */
final class ContextSlot {

  /** A peer that does not read must not keep a connection that is closed. */
  private static final long CLOSE_NOTIFY_MILLIS = 10_000;

  private volatile @Nullable SslContext current;

  /** Puts {@code next} in force, or none; what was there before is let go. */
  void replace(@Nullable SslContext next) {
    SslContext before = current;
    current = next;
    ReferenceCountUtil.release(before);
  }

  /** A handler of the context in force; null where there is none. */
  @Nullable SslHandler newHandler(Function<SslContext, SslHandler> make) {
    while (true) {
      SslContext now = current;
      if (now == null) {
        return null;
      }
      if (retain(now)) {
        try {
          return prepared(make.apply(now));
        } finally {
          ReferenceCountUtil.release(now);
        }
      }
      // Replaced in this moment.
    }
  }

  /** A context is never recycled, so a count above zero is this one's. */
  private static boolean retain(SslContext context) {
    try {
      ReferenceCountUtil.retain(context);
      return true;
    } catch (IllegalReferenceCountException gone) {
      return false;
    }
  }

  private static SslHandler prepared(SslHandler handler) {
    // The gate behind it knows the time.
    handler.setHandshakeTimeoutMillis(0);
    handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
    return handler;
  }
}
