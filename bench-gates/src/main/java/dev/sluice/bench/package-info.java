/** Microbenchmarks; the gates beside the tests run them and hold their thresholds. */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
