package dev.sluice.governor.reuse.coalesce;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How flights of many behave. Immutable.
 *
 * @param maxBody bytes kept for those who may still board (DEC-26)
 * @param maxWaiters passengers of one flight at most (DEC-35)
 * @param laggardGrace how long a reader may hold up the others of a sliding body
 * @param remember how long a key that proved unshareable gathers nobody (DEC-44); zero = not at all
 * @param boardingMax from boarding to the head at most (DEC-35); null = what queue and timeouts add
 *     up to
 */
public record CoalesceSettings(
    long maxBody,
    int maxWaiters,
    Duration laggardGrace,
    Duration remember,
    @Nullable Duration boardingMax) {}
