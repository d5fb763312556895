package dev.sluice.net.tls;

import dev.sluice.time.Ticker;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.internal.tcnative.SSL;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a TLS listener presents: a certificate that a reload may replace. Connections under way keep
 * the context they began with; another certificate is another context, whose sessions and ticket
 * keys are its own, so a session is never resumed under a certificate it was not made with
 * (FIELD_CASES T02). Thread-safe.
 */
public final class ServerTls implements AutoCloseable {

  /** All that a context is made of. */
  private record Recipe(CertifiedKey own, boolean tickets, List<String> protocols) {}

  private final TlsProvider provider;
  private final ContextSlot slot = new ContextSlot();
  private final Ticker ticker;
  private volatile @Nullable Recipe recipe;
  private @Nullable TicketKeys ticketKeys;

  /**
   * Reads the files.
   *
   * @param protocols offered by ALPN, the preferred first
   * @throws IOException in one line, where they do not serve
   */
  public ServerTls(
      TlsProvider provider, ServerTlsSettings settings, List<String> protocols, Ticker ticker)
      throws IOException {
    this.provider = provider;
    this.ticker = ticker;
    reload(settings, protocols);
  }

  /**
   * Reads the files again; connections from now on get what is in them. Files that hold what they
   * held before leave sessions as they are.
   *
   * @throws IOException in one line, where they do not serve: then all stays as it was
   */
  public synchronized void reload(ServerTlsSettings settings, List<String> protocols)
      throws IOException {
    var next = new Recipe(CertifiedKey.read(settings), settings.sessionTickets(), protocols);
    if (next.equals(recipe)) {
      return;
    }
    try {
      SslContext context = TlsContexts.server(provider, next.own(), next.tickets(), protocols);
      ticketKeys = next.tickets() ? keysOf(context) : null;
      slot.replace(context);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(settings.cert() + " does not serve: " + e.getMessage(), e);
    }
    recipe = next;
  }

  /** Draws other ticket keys where it is time; to be called now and then. */
  public synchronized void renewTicketKeys() {
    if (ticketKeys != null) {
      ticketKeys.renew(ticker.nanos());
    }
  }

  /** Does the handshake of one connection, and what comes behind it. */
  public SslHandler newHandler(ByteBufAllocator alloc) {
    SslHandler handler = slot.newHandler(context -> context.newHandler(alloc));
    Recipe now = recipe;
    if (handler != null
        && now != null
        && !now.tickets()
        && handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
      // A context has no switch for it, and would seal tickets with a key of its own.
      SSL.setOptions(engine.sslPointer(), SSL.SSL_OP_NO_TICKET);
    }
    if (handler == null) {
      throw new IllegalStateException("server TLS: closed");
    }
    return handler;
  }

  private @Nullable TicketKeys keysOf(SslContext context) {
    return context.sessionContext() instanceof OpenSslSessionContext sessions
        ? new TicketKeys(sessions, ticker.nanos())
        : null;
  }

  public TlsProvider provider() {
    return provider;
  }

  @Override
  public synchronized void close() {
    ticketKeys = null;
    slot.replace(null);
  }
}
