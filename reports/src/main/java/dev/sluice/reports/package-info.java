/**
 * What a gate found, as one JSON file each and as text on the console. Start with {@code
 * GateReport}. Knows nothing of how a gate came to its numbers.
 */
@NullMarked
package dev.sluice.reports;

import org.jspecify.annotations.NullMarked;
