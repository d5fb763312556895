package dev.sluice.chaos;

import eu.rekawek.toxiproxy.model.ToxicDirection;
import eu.rekawek.toxiproxy.model.ToxicList;
import java.io.IOException;

/** What may befall a connection. */
enum Fault {
  LATENCY(150),
  JITTER(20),
  BANDWIDTH(150),
  SLICER(100),
  SLOW_CLOSE(250),
  TIMEOUT,
  RESET_PEER,
  LIMIT_DATA;

  /** How much goes the way that is struck: what a head hardly feels would stop a body. */
  enum Load {
    /** 60,000 bytes or more. */
    BODY,
    /** 150 bytes or more. */
    HEAD
  }

  private static final String NAME = "fault";

  private final int millis;

  /** It breaks what it strikes. */
  Fault() {
    this(0);
  }

  Fault(int millis) {
    this.millis = millis;
  }

  void strike(ToxicList toxics, ToxicDirection way, Load load) throws IOException {
    boolean body = load == Load.BODY;
    switch (this) {
      case LATENCY -> toxics.latency(NAME, way, 150);
      case JITTER -> toxics.latency(NAME, way, 100).setJitter(80);
      case BANDWIDTH -> toxics.bandwidth(NAME, way, body ? 250 : 1);
      case SLICER ->
          toxics
              .slicer(NAME, way, body ? 100 : 10, body ? 200 : 8_000)
              .setSizeVariation(body ? 50 : 5);
      case SLOW_CLOSE -> toxics.slowClose(NAME, way, millis);
      case TIMEOUT -> toxics.timeout(NAME, way, 250);
      case RESET_PEER -> toxics.resetPeer(NAME, way, 50);
      case LIMIT_DATA -> toxics.limitData(NAME, way, body ? 20_000 : 30);
    }
  }

  /** It costs time, but every byte arrives. */
  boolean isHarmless() {
    return millis > 0;
  }

  /** Of one that is harmless: what it costs such a load at least, or its end. */
  int millis() {
    return millis;
  }
}
