package dev.sluice.observe;

/**
 * {@code telemetry.logging} (DEC-21). Immutable.
 *
 * @param level of the process log: error, warn, info, debug or trace
 * @param access {@code stdout}, {@code none} or a file's path
 */
public record LogSettings(String level, String access) {}
