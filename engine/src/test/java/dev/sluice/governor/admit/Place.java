package dev.sluice.governor.admit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.sluice.governor.classify.Priority;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import dev.sluice.time.Loop;
import java.util.ArrayList;
import java.util.List;

/** A flight's place with its permit, as a test sees it: it writes down what befalls it. */
final class Place implements Waiter.Listener {
  final Waiter waiter;

  private final String name;
  private final List<String> events;

  private Place(String name, Loop loop, List<String> events) {
    this.name = name;
    this.events = events;
    this.waiter = new Waiter(this, loop);
  }

  /** A waiter that has asked for nothing yet. */
  static Waiter outside(Loop loop) {
    return new Place("", loop, new ArrayList<>()).waiter;
  }

  /** Enters at the admission; {@code events} gets a line for all that comes of it. */
  static Place enter(
      Admission admission,
      Loop loop,
      List<String> events,
      String name,
      String route,
      Priority tier,
      int weight) {
    var place = new Place(name, loop, events);
    place.waiter.prepare(route, tier, weight);
    admission.enter(place.waiter);
    return place;
  }

  /** The same for who has a place in the order of arrivals. */
  static Place enterLate(
      Admission admission, Loop loop, List<String> events, String name, long arrival) {
    var place = new Place(name, loop, events);
    place.waiter.prepare("r", Priority.NORMAL, 1, arrival);
    admission.enter(place.waiter);
    return place;
  }

  /** The same for a refresh: a permit that is free, or none. */
  static Place enterInPassing(
      Admission admission, FakeLoop loop, List<String> events, String name) {
    var place = new Place(name, loop, events);
    place.waiter.prepare("r", Priority.LOW, 1);
    place.waiter.impatient();
    admission.enter(place.waiter);
    return place;
  }

  /** Gives the schedule a pace to predict from: eight permits of one unit back, 0.5 s apart. */
  static void eightReturns(Admission admission, FakeLoop loop, FakeTicker ticker) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      places.add(enter(admission, loop, new ArrayList<>(), "w" + i, "r", Priority.NORMAL, 1));
    }
    for (Place place : places.subList(0, 8)) {
      ticker.advance(MILLISECONDS.toNanos(500));
      admission.giveBack(place.waiter);
    }
  }

  @Override
  public void granted() {
    String upstream = waiter.upstream();
    events.add(name + (upstream == null ? " granted" : " at " + upstream));
  }

  @Override
  public void shed(Cause cause, long predictedWaitNanos) {
    events.add(name + " shed " + cause);
  }

  @Override
  public void moved(boolean elsewhere) {
    events.add(name + (elsewhere ? " moved to " : " stays at ") + waiter.upstream());
  }
}
