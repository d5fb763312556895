/** Claim gates: a real Sluice, a real origin that counts for itself, and a control run each. */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
