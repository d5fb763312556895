package dev.sluice.net.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.ReferenceCountedOpenSslServerContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/**
 * Makes Netty's contexts: TLS 1.2 and 1.3, forward secrecy and authenticated encryption only (RFC
 * 9325). Each context has keys and sessions of its own, so nothing is resumed into another one.
 * Stateless.
 */
final class TlsContexts {

  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /** Sessions of TLS 1.2 that are kept for clients without tickets. */
  private static final int SESSIONS = 4096;

  private static final long SESSION_SECONDS = TicketKeys.LIFETIME.toSeconds();

  /** The JDK issues no ticket for sessions that live longer than RFC 8446 4.6.1 lets a ticket. */
  private static final long TOO_LONG_FOR_TICKETS = TimeUnit.DAYS.toSeconds(7) + 1;

  private TlsContexts() {}

  static SslContext server(
      TlsProvider provider, CertifiedKey own, boolean tickets, List<String> protocols)
      throws SSLException, GeneralSecurityException {
    boolean jdkWithoutTickets = provider == TlsProvider.JDK && !tickets;
    SslContext context =
        common(SslContextBuilder.forServer(own.key(), own.chain()), provider, protocols)
            .sessionCacheSize(SESSIONS)
            .sessionTimeout(jdkWithoutTickets ? TOO_LONG_FOR_TICKETS : SESSION_SECONDS)
            .build();
    if (context instanceof ReferenceCountedOpenSslServerContext boring) {
      boring.sessionContext().setSessionIdContext(own.digest());
    }
    return context;
  }

  static SslContext client(
      TlsProvider provider,
      OriginTlsSettings settings,
      List<X509Certificate> roots,
      List<String> protocols)
      throws SSLException {
    SslContextBuilder builder = common(SslContextBuilder.forClient(), provider, protocols);
    if (!settings.verifyCert()) {
      builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
    } else if (!roots.isEmpty()) {
      builder.trustManager(roots);
    }
    boolean named = settings.verifyCert() && settings.verifyHostname();
    return builder
        .endpointIdentificationAlgorithm(named ? "HTTPS" : "")
        .sessionCacheSize(SESSIONS)
        .sessionTimeout(SESSION_SECONDS)
        .build();
  }

  private static SslContextBuilder common(
      SslContextBuilder builder, TlsProvider provider, List<String> protocols) {
    builder
        .sslProvider(provider.netty())
        .protocols("TLSv1.3", "TLSv1.2")
        .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                protocols));
    if (provider == TlsProvider.BORINGSSL) {
      // A signature is made where it is needed: a loop has nobody to hand it to.
      builder.option(OpenSslContextOption.USE_TASKS, false);
    }
    return builder;
  }
}
