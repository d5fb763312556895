/** How an upstream is spoken to: the choice of the protocol. Start at {@code Dialer}. */
@NullMarked
package dev.sluice.wire.dial;

import org.jspecify.annotations.NullMarked;
