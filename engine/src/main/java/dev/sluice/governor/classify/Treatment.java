package dev.sluice.governor.classify;

/**
 * What may be done with a request. Immutable.
 *
 * @param effectiveClass the route's class, or the narrower one that applies to this request
 * @param permitKind which ceiling its flight counts to
 * @param priority the route's tier; {@code low} for a prefetch (BEY-24)
 * @param ground the rule that decided the class
 */
public record Treatment(
    RouteClass effectiveClass, PermitKind permitKind, Priority priority, Ground ground) {}
