package dev.sluice.net.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * TLS to an origin, or none, as the settings in force say. Another policy (name, roots, what is
 * verified, which protocols are offered) is another context, with sessions of its own, so nobody is
 * trusted by a session that was verified less. Thread-safe.
 */
public final class ClientTls implements AutoCloseable {

  /**
   * All that a context is made of.
   *
   * @param roots empty = the platform's
   */
  private record Recipe(
      OriginTlsSettings settings, List<X509Certificate> roots, List<String> protocols) {}

  private final Supplier<TlsProvider> provider;
  private final ContextSlot slot = new ContextSlot();
  private volatile @Nullable Recipe recipe;
  private volatile int epoch;

  /** Off until {@link #reload}; {@code provider} is asked once TLS is wanted. */
  public ClientTls(Supplier<TlsProvider> provider) {
    this.provider = provider;
  }

  /**
   * Connections from now on follow {@code settings}; null = no TLS.
   *
   * @param protocols offered by ALPN, the preferred first
   * @throws IOException in one line, where the roots do not serve: then all stays as it was
   */
  public synchronized void reload(@Nullable OriginTlsSettings settings, List<String> protocols)
      throws IOException {
    Recipe next = settings == null ? null : new Recipe(settings, roots(settings), protocols);
    if (next == null ? recipe == null : next.equals(recipe)) {
      return;
    }
    SslContext context =
        next == null
            ? null
            : TlsContexts.client(provider.get(), next.settings(), next.roots(), next.protocols());
    recipe = next;
    slot.replace(context);
    epoch++;
  }

  /** Does the handshake of one connection to {@code port}; null where TLS is off. */
  public @Nullable SslHandler newHandler(ByteBufAllocator alloc, int port) {
    Recipe now = recipe;
    if (now == null) {
      return null;
    }
    String name = now.settings().sni();
    return slot.newHandler(context -> context.newHandler(alloc, name, port));
  }

  /** Another number for another policy: a connection of an earlier one is not to be used again. */
  public int epoch() {
    return epoch;
  }

  /** Connections of today are not to be used again, though nothing of TLS has changed. */
  public synchronized void endEpoch() {
    epoch++;
  }

  @Override
  public void close() {
    slot.replace(null);
  }

  private static List<X509Certificate> roots(OriginTlsSettings settings) throws PemFault {
    Path ca = settings.ca();
    return ca == null || !settings.verifyCert() ? List.of() : PemFile.certificates(ca);
  }
}
