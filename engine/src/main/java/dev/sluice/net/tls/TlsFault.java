package dev.sluice.net.tls;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a handshake came to nothing. Immutable.
 *
 * @param detail one line for the log
 */
public record TlsFault(Kind kind, String detail) {

  private static final int DEPTH = 16;

  /** What went wrong; {@link #code} is its word in metrics. */
  public enum Kind {
    /** It took too long. */
    TIMEOUT,
    /** The peer closed or reset. */
    CLOSED,
    /** The peer does not speak TLS. */
    NOT_TLS,
    /** The peer's certificate is not trusted, or is another name's. */
    CERTIFICATE,
    /** The peer said why it ends. */
    ALERT,
    /** No version or cipher in common, or a broken record. */
    PROTOCOL;

    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static TlsFault of(Throwable failure) {
    Kind kind = Kind.PROTOCOL;
    Throwable told = failure;
    Throwable at = failure;
    for (int i = 0; at != null && i < DEPTH; i++) {
      Kind known = known(at);
      if (known != null) {
        kind = known;
        told = at;
      }
      at = at.getCause();
    }
    return new TlsFault(kind, told.getClass().getSimpleName() + ": " + told.getMessage());
  }

  private static @Nullable Kind known(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof CertificateException
        || failure instanceof CertPathBuilderException
        || failure instanceof CertPathValidatorException) {
      return Kind.CERTIFICATE;
    }
    if (failure instanceof ClosedChannelException || message.contains("Connection reset")) {
      return Kind.CLOSED;
    }
    if (failure instanceof NotSslRecordException || message.contains("plaintext connection")) {
      return Kind.NOT_TLS;
    }
    return message.contains("ALERT_") || message.contains("fatal alert") ? Kind.ALERT : null;
  }
}
