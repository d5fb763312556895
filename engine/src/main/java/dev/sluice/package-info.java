/**
 * The program: reads the settings, wires the parts, starts, drains. Start with {@code Sluice}; it
 * is the only place that sees everything.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
