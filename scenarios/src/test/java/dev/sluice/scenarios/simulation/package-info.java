/**
 * The Gatling simulations: who arrives when, what they ask for, and what each of them saw. They run
 * in a JVM of their own against any URL and know nothing of the stack behind it; the gates in
 * {@code dev.sluice.scenarios.load} start them and judge. Begin at {@link
 * dev.sluice.scenarios.simulation.SpikeSimulation}.
 */
@NullMarked
package dev.sluice.scenarios.simulation;

import org.jspecify.annotations.NullMarked;
