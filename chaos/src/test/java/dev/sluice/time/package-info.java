/** The engine's clock of the time of day, in a form that a gate can move. */
@org.jspecify.annotations.NullMarked
package dev.sluice.time;
