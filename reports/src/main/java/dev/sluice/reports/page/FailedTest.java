package dev.sluice.reports.page;

/**
 * A test, of a gate or another, that failed and left no report. Immutable.
 *
 * @param test its class and method
 * @param reason the first line of what it said
 */
public record FailedTest(String test, String reason) {}
