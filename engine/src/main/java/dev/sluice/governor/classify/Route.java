package dev.sluice.governor.classify;

/**
 * One rule of {@code routes}: which requests it takes and what may be done with them. Immutable.
 *
 * @param id the name in logs and metrics, unique in a file
 * @param match a path: exact without wildcard, a prefix with the suffix {@code /**} (RTE-04 to 06)
 * @param weight units that one flight costs (ADM-25)
 */
public record Route(
    String id,
    String match,
    RouteClass routeClass,
    Priority priority,
    int weight,
    OnClientAbort onClientAbort,
    RouteLimits limits) {}
