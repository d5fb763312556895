/** What happened: counters, latencies, the access log, and the metrics made of them. */
@NullMarked
package dev.sluice.observe;

import org.jspecify.annotations.NullMarked;
