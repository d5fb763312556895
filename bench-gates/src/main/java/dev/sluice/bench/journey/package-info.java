/**
 * Microbenchmarks of the steps of a request's journey that other packages may call, and what all of
 * them are fed with. The gates beside the tests run them and hold their thresholds.
 */
@NullMarked
package dev.sluice.bench.journey;

import org.jspecify.annotations.NullMarked;
