/**
 * Microbenchmarks of answering, in its package because the {@code ClientAnswer} is nobody else's.
 */
@NullMarked
package dev.sluice.wire.client;

import org.jspecify.annotations.NullMarked;
