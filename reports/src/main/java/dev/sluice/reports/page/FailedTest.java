package dev.sluice.reports.page;

/**
 * A gate's test that failed and left no report. Immutable.
 *
 * @param test its class and method
 * @param reason the first line of what it said
 */
public record FailedTest(String test, String reason) {}
