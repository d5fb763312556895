/**
 * Whether a row of measurements grows, told so that neither noise nor single spikes decide. Knows
 * nothing of what is measured. Begin at {@link dev.sluice.soak.trend.Trend}.
 */
@NullMarked
package dev.sluice.soak.trend;

import org.jspecify.annotations.NullMarked;
