package dev.sluice.net.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** Whose engine does TLS. */
public enum TlsProvider {
  /** BoringSSL through netty-tcnative, where its native library loads. */
  BORINGSSL("boringssl", SslProvider.OPENSSL_REFCNT),
  /** The JDK's, everywhere. */
  JDK("jdk", SslProvider.JDK);

  private final String code;
  private final SslProvider netty;

  TlsProvider(String code, SslProvider netty) {
    this.code = code;
    this.netty = netty;
  }

  /** The one that this machine has; the first call loads the library. */
  public static TlsProvider best() {
    return OpenSsl.isAvailable() ? BORINGSSL : JDK;
  }

  /** The word for {@code /status} and the log. */
  public String code() {
    return code;
  }

  SslProvider netty() {
    return netty;
  }
}
