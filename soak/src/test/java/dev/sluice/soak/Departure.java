package dev.sluice.soak;

import java.util.Random;

/** Whether and how a client leaves before it has its answer. */
enum Departure {
  STAY,
  RST,
  FIN,
  HALF_CLOSE;

  /** Stays in six cases of ten. */
  static Departure pick(Random random) {
    int dice = random.nextInt(100);
    if (dice < 60) {
      return STAY;
    }
    return dice < 75 ? RST : dice < 88 ? FIN : HALF_CLOSE;
  }
}
