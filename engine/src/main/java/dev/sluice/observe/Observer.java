package dev.sluice.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The counters of all loops, and the log they share. Thread-safe. */
public final class Observer {

  private final List<LoopCounters> loops;
  private final AccessLog accessLog;

  /** Counters for {@code count} loops. */
  public Observer(int count, AccessLog accessLog) {
    var made = new ArrayList<LoopCounters>(count);
    for (int i = 0; i < count; i++) {
      made.add(new LoopCounters(accessLog));
    }
    this.loops = List.copyOf(made);
    this.accessLog = accessLog;
  }

  /** The ones that loop {@code index} writes. */
  public LoopCounters forLoop(int index) {
    return loops.get(index);
  }

  /** A reload drops the series of routes that are gone (DEC-51). */
  public void retainRoutes(Set<String> routes) {
    Set<String> ids = Set.copyOf(routes);
    loops.forEach(loop -> loop.retainRoutes(ids));
  }

  /** The same for upstreams. */
  public void retainUpstreams(Set<String> upstreams) {
    Set<String> labels = Set.copyOf(upstreams);
    loops.forEach(loop -> loop.retainUpstreams(labels));
  }

  /** Exchanges under way on all loops. */
  public long openExchanges() {
    return loops.stream().mapToLong(LoopCounters::openExchanges).sum();
  }

  /** Flights under way on all loops, those that wait for their permit included. */
  public long openFlights() {
    return loops.stream().mapToLong(LoopCounters::openFlights).sum();
  }

  List<LoopCounters> loops() {
    return loops;
  }

  /** Lines that the access log could not take or write. */
  long droppedLines() {
    return accessLog.dropped();
  }
}
