package dev.sluice.governor.deliver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@code overload} and what else shapes our own answers (DEC-06). Immutable.
 *
 * @param status of a shed request
 * @param busyPageFile the operator's page, read whole at load; null = the built-in one
 * @param debugHeaders whether {@code X-Sluice}, {@code Cache-Status} and {@code Proxy-Status} go to
 *     everyone (PRX-34)
 */
public record DeliverSettings(
    int status,
    Duration retryAfter,
    boolean busyPageEnabled,
    @Nullable String busyPageFile,
    Duration busyPageRefresh,
    boolean debugHeaders) {}
