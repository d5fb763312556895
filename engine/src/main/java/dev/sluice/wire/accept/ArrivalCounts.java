package dev.sluice.wire.accept;

import dev.sluice.net.tls.TlsFault;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of new connections before their first request, since the start. Thread-safe. */
public final class ArrivalCounts {

  private final LongAdder handshakes = new LongAdder();
  private final LongAdder[] faults = new LongAdder[TlsFault.Kind.values().length];
  private final LongAdder proxyRefusals = new LongAdder();

  ArrivalCounts() {
    Arrays.setAll(faults, kind -> new LongAdder());
  }

  void handshake() {
    handshakes.increment();
  }

  void fault(TlsFault.Kind kind) {
    faults[kind.ordinal()].increment();
  }

  void proxyRefusal() {
    proxyRefusals.increment();
  }

  /** TLS handshakes that clients and we completed. */
  public long handshakes() {
    return handshakes.sum();
  }

  /** Those that came to nothing, by their kind's word. */
  public Map<String, Long> faults() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (TlsFault.Kind kind : TlsFault.Kind.values()) {
      counts.put(kind.code(), faults[kind.ordinal()].sum());
    }
    return counts;
  }

  /** Connections closed because their PROXY header was missing, broken, or from nobody trusted. */
  public long proxyRefusals() {
    return proxyRefusals.sum();
  }
}
