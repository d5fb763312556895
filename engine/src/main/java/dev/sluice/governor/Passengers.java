package dev.sluice.governor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those aboard one flight in order of arrival; the first is its lead. Most flights have one
 * passenger, and cost no set. The flight's log is the one's that began it, and no other's; so is
 * what the origin was told of a client. Confined to the flight's loop.
 */
final class Passengers {

  private final FlightLog log;
  private @Nullable Passenger lead;
  private @Nullable Set<Passenger> others;
  private boolean inherited;

  Passengers(FlightLog log) {
    this.log = log;
  }

  void add(Passenger passenger) {
    if (lead == null) {
      lead = passenger;
      return;
    }
    if (others == null) {
      others = new LinkedHashSet<>();
    }
    others.add(passenger);
  }

  /** False where it was not aboard. Where the lead goes, the next in order leads. */
  boolean remove(Passenger passenger) {
    if (passenger != lead) {
      return others != null && others.remove(passenger);
    }
    log.close();
    lead = null;
    inherited = true;
    if (others != null && !others.isEmpty()) {
      Passenger next = others.iterator().next();
      others.remove(next);
      lead = next;
    }
    return true;
  }

  @Nullable Passenger lead() {
    return lead;
  }

  /** Whether the lead is the first that ever was aboard. */
  boolean isLedByTheFirst() {
    return lead != null && !inherited;
  }

  boolean isEmpty() {
    return lead == null;
  }

  int size() {
    return lead == null ? 0 : 1 + (others == null ? 0 : others.size());
  }

  /** All of them in order, as they are now. */
  List<Passenger> all() {
    if (lead == null) {
      return List.of();
    }
    if (others == null || others.isEmpty()) {
      return List.of(lead);
    }
    var all = new ArrayList<Passenger>(1 + others.size());
    all.add(lead);
    all.addAll(others);
    return all;
  }

  /** Takes everybody off, and returns them in order. */
  List<Passenger> disembarkAll() {
    List<Passenger> all = all();
    log.close();
    lead = null;
    others = null;
    return all;
  }

  /** Tells a passenger on its own loop; one whose loop has ended hears nothing. */
  static void tell(Passenger passenger, Landing landing) {
    if (passenger.loop().isCurrent()) {
      passenger.landed(landing);
      return;
    }
    if (!passenger.loop().run(() -> passenger.landed(landing))) {
      landing.discard();
    }
  }
}
