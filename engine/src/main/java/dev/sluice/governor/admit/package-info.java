/**
 * May a flight go to the origin now, wait, or be shed? Start with {@code Admission}. It never sees
 * a header: a {@code Waiter} carries a route id, a tier and a weight.
 */
@NullMarked
package dev.sluice.governor.admit;

import org.jspecify.annotations.NullMarked;
