/**
 * How things end, as one table. Start with {@link dev.sluice.outcome.Cause}: its words are the ones
 * that metrics, the access log and {@code Proxy-Status} use. Depends on nothing.
 */
@NullMarked
package dev.sluice.outcome;

import org.jspecify.annotations.NullMarked;
