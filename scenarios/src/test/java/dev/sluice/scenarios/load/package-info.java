/**
 * The gates of the simulations: each starts a slow origin and a real Sluice before it, or takes the
 * stack that {@code sluice.target} names, sends it a simulation's arrivals, and judges by what
 * clients saw and the origin counted. Begin at {@link dev.sluice.scenarios.load.Scenario}.
 */
@NullMarked
package dev.sluice.scenarios.load;

import org.jspecify.annotations.NullMarked;
