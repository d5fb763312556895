/**
 * Faults between clients, Sluice and its origin, and what each of them sees of it. Start at {@link
 * dev.sluice.chaos.ToxiproxyServer} and {@link dev.sluice.chaos.ChaosStack}.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.chaos;
