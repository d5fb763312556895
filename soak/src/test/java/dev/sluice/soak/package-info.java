/**
 * Long runs against a real Sluice and a real origin: what must be zero, and what must not have
 * grown, once the clients are gone. Start with {@code MixedAbortGate} and {@code
 * IdleConnectionsGate}.
 */
@NullMarked
package dev.sluice.soak;

import org.jspecify.annotations.NullMarked;
