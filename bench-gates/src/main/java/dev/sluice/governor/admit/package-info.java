/**
 * Microbenchmarks of admission, in its package because the {@code Schedule} is nobody else's. The
 * gates beside the tests run them and hold their thresholds.
 */
@NullMarked
package dev.sluice.governor.admit;

import org.jspecify.annotations.NullMarked;
