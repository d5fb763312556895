package dev.sluice.net;

import java.time.Duration;

/**
 * {@code server.graceful} (DEC-05). Immutable.
 *
 * @param pidFile empty = none
 */
public record DrainSettings(Duration drainPeriod, Duration shutdownTimeout, String pidFile) {}
