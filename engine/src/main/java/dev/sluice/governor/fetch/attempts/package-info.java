/**
 * What attempts at an origin teach: whether an upstream is to be left alone for a while ({@link
 * dev.sluice.governor.fetch.attempts.Breaker}) and whether one more attempt is affordable ({@link
 * dev.sluice.governor.fetch.attempts.RetryBudget}). Plain Java: no socket, and time is an argument.
 */
@NullMarked
package dev.sluice.governor.fetch.attempts;

import org.jspecify.annotations.NullMarked;
