package dev.sluice.scenarios.load;

import dev.sluice.fixture.OriginStats;

/**
 * What an origin counted in one run. Immutable.
 *
 * @param before its counters before the run
 * @param after its counters when all clients had gone
 * @param peakInFlight requests at once
 */
record Counted(OriginStats before, OriginStats after, long peakInFlight) {

  long requests() {
    return after.requests() - before.requests();
  }

  long renders() {
    return after.rendersBegun() - before.rendersBegun();
  }

  /** Requests whose path begins so. */
  long requestsUnder(String pathPrefix) {
    return after.requestsUnder(pathPrefix) - before.requestsUnder(pathPrefix);
  }

  /** Requests that it had not answered yet. */
  long inFlightAfterwards() {
    return after.inFlight();
  }
}
