package dev.sluice;

import dev.sluice.governor.fetch.Names;
import dev.sluice.net.DirectMemory;
import dev.sluice.net.tls.TlsProvider;
import dev.sluice.time.Ticker;
import dev.sluice.time.WallClock;
import java.util.function.Supplier;

/**
 * What a proxy takes from the machine that it runs on, and a test may say otherwise. Immutable.
 *
 * @param names what names of upstreams mean
 * @param tls whose engine does TLS; asked once it is wanted, since it may have a library to load
 */
record Surroundings(
    DirectMemory memory, Ticker ticker, WallClock wall, Names names, Supplier<TlsProvider> tls) {

  /** The machine's own. */
  static Surroundings system() {
    return new Surroundings(
        new DirectMemory(), Ticker.system(), WallClock.system(), Names.system(), TlsProvider::best);
  }

  Surroundings with(DirectMemory other) {
    return new Surroundings(other, ticker, wall, names, tls);
  }

  Surroundings with(Ticker other) {
    return new Surroundings(memory, other, wall, names, tls);
  }

  Surroundings with(Names other) {
    return new Surroundings(memory, ticker, wall, other, tls);
  }

  Surroundings with(TlsProvider other) {
    return new Surroundings(memory, ticker, wall, names, () -> other);
  }
}
