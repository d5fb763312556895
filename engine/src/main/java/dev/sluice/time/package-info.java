/**
 * The only clock. Everything that needs to know the time is handed a {@link
 * dev.sluice.time.Ticker}, a {@link dev.sluice.time.WallClock} or a {@link dev.sluice.time.Timer};
 * nothing else in the engine reads one, so tests move time by hand. Depends on nothing.
 */
@NullMarked
package dev.sluice.time;

import org.jspecify.annotations.NullMarked;
