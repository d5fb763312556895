/**
 * Microbenchmarks of classifying, in its package because the {@code RouteTable} is nobody else's.
 */
@NullMarked
package dev.sluice.governor.classify;

import org.jspecify.annotations.NullMarked;
