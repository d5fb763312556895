package dev.sluice.chaos;

import eu.rekawek.toxiproxy.model.ToxicDirection;
import eu.rekawek.toxiproxy.model.ToxicList;
import java.io.IOException;

/** What may befall a connection. */
enum Fault {
  LATENCY(true, 150) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.latency("fault", way, 150);
    }
  },
  JITTER(true, 20) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.latency("fault", way, 100).setJitter(80);
    }
  },
  BANDWIDTH(true, 150) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.bandwidth("fault", way, 250);
    }
  },
  SLICER(true, 100) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.slicer("fault", way, 100, 200).setSizeVariation(50);
    }
  },
  SLOW_CLOSE(true, 250) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.slowClose("fault", way, 250);
    }
  },
  TIMEOUT(false, 250) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.timeout("fault", way, 250);
    }
  },
  RESET_PEER(false, 50) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.resetPeer("fault", way, 50);
    }
  },
  LIMIT_DATA(false, 0) {
    @Override
    void strike(ToxicList toxics, ToxicDirection way) throws IOException {
      toxics.limitData("fault", way, LIMIT);
    }
  };

  /** Of a connection's bytes, those that {@link #LIMIT_DATA} lets through. */
  static final int LIMIT = 20_000;

  private final boolean harmless;
  private final int millis;

  Fault(boolean harmless, int millis) {
    this.harmless = harmless;
    this.millis = millis;
  }

  abstract void strike(ToxicList toxics, ToxicDirection way) throws IOException;

  /** It costs time, but every byte arrives. */
  boolean isHarmless() {
    return harmless;
  }

  /** What it costs at least an exchange of 60,000 bytes, or its end. */
  int millis() {
    return millis;
  }
}
