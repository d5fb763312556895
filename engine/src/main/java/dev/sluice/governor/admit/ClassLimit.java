package dev.sluice.governor.admit;

import dev.sluice.governor.classify.RouteClass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The ceiling of a class that takes no render permit, and its short queue (DEC-33). It counts
 * requests, whatever a route's render weighs. Immutable.
 *
 * @param max requests in flight with all upstreams in use
 * @param queueMax flights that wait at most
 * @param queueTimeout how long one waits at most
 * @param routes of this class have their own limits within this one; null = no route has
 */
public record ClassLimit(
    int max, int queueMax, Duration queueTimeout, @Nullable RouteClass routes) {}
