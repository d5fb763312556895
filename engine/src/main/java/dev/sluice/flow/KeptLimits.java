package dev.sluice.flow;

/**
 * How much of a kept body is kept (DEC-26). Immutable.
 *
 * @param bodyMax bytes at most; past it the body slides
 * @param laggardGraceNanos how long one reader of a sliding body may hold up another
 * @param discardMax bytes dropped at most that nobody reads and nobody keeps (DEC-28)
 * @param expected the body's length where it is known, else -1
 * @param discardMax bytes that may be dropped unread where nobody follows any more (DEC-28)
 */
public record KeptLimits(long bodyMax, long laggardGraceNanos, long expected, long discardMax) {}
