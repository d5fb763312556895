/** Asks the origin: connections, attempts, what the request there carries. */
@NullMarked
package dev.sluice.governor.fetch;

import org.jspecify.annotations.NullMarked;
