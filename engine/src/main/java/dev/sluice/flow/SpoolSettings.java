package dev.sluice.flow;

/**
 * How far an answer may run ahead of its readers (DEC-26, SPL). Immutable.
 *
 * @param maxBody bytes of one spooled body at most
 * @param maxMemory bytes of all kept bodies at most, spooled, shared or on their way into the store
 */
public record SpoolSettings(long maxBody, long maxMemory) {}
