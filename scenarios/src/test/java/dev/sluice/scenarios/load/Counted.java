package dev.sluice.scenarios.load;

import dev.sluice.fixture.OriginStats;

/**
 * What an origin counted in one run. Immutable.
 *
 * @param peakInFlight requests at once
 */
record Counted(long requests, long renders, long peakInFlight, OriginStats after) {

  /** Of an origin whose counters nobody else moves: they were set to zero before. */
  static Counted of(OriginStats after) {
    return new Counted(after.requests(), after.rendersBegun(), after.peakInFlight(), after);
  }

  /** Of an origin that goes on counting: the difference, and the highest peak that was seen. */
  static Counted between(OriginStats before, OriginStats after, long peakSeen) {
    return new Counted(
        after.requests() - before.requests(),
        after.rendersBegun() - before.rendersBegun(),
        peakSeen,
        after);
  }
}
