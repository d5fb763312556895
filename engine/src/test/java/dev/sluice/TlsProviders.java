package dev.sluice;

import dev.sluice.net.tls.TlsProvider;
import java.util.stream.Stream;

/** Whose engines do TLS on this machine: the best one, and the one that is everywhere. */
final class TlsProviders {

  private TlsProviders() {}

  static Stream<TlsProvider> here() {
    return Stream.of(TlsProvider.best(), TlsProvider.JDK).distinct();
  }

  /** This machine with that engine. */
  static Surroundings by(TlsProvider provider) {
    return Surroundings.system().with(provider);
  }
}
