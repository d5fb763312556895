/**
 * The journey's first step: what is this request, and what may be done with it? Start with {@code
 * Classifier}. Pure: no socket, no clock, no state.
 */
@NullMarked
package dev.sluice.governor.classify;

import org.jspecify.annotations.NullMarked;
