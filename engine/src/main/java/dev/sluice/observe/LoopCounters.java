package dev.sluice.observe;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.RetryOutcome;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What one loop counts: cells that only it writes and the scrape reads (DEC-51). Writes are
 * confined to the loop and allocate nothing once a series is there; reads are for the scrape.
 */
public final class LoopCounters {

  /** The route of what was turned away before it had one, or whose route is gone by now. */
  static final String NO_ROUTE = "-";

  /** The upstream of a fetch that ended behind the reload that took it. */
  static final String NO_UPSTREAM = "-";

  private static final int EXCHANGES = 0;
  private static final int FLIGHTS = 1;

  private final AccessLog accessLog;
  private final LatencyRecorder requests = new LatencyRecorder();
  private final LatencyRecorder waits = new LatencyRecorder();
  private final LatencyRecorder origin = new LatencyRecorder();
  private final Map<String, RouteCounters> routes = new ConcurrentHashMap<>();
  private final Map<String, Tally> originRequests = new ConcurrentHashMap<>();
  private final Tally open = new Tally(2);
  private final Tally retries = new Tally(RetryOutcome.values().length);
  private volatile @Nullable Set<String> retained;
  private volatile @Nullable Set<String> retainedUpstreams;

  LoopCounters(AccessLog accessLog) {
    this.accessLog = accessLog;
  }

  /** An exchange is under way from here to {@link #exchangeEnded}. */
  public void exchangeBegan() {
    open.add(EXCHANGES, 1);
  }

  /** An exchange is over; the timeline is the log's from here. */
  public void exchangeEnded(Timeline exchange) {
    open.add(EXCHANGES, -1);
    record(exchange);
  }

  /** A flight is under way from here to {@link #flightEnded}. */
  public void flightBegan() {
    open.add(FLIGHTS, 1);
  }

  /** A flight is over with the origin; its permit may be held on. */
  public void flightEnded() {
    open.add(FLIGHTS, -1);
  }

  /** What never became an exchange, or no longer is one; the timeline is the log's from here. */
  public void record(Timeline exchange) {
    if (!exchange.isTunnel()) {
      requests.record(exchange.totalNanos());
    }
    if (exchange.askedAdmission()) {
      waits.record(exchange.queueNanos());
    }
    routeOf(exchange.route()).record(exchange);
    accessLog.log(exchange);
  }

  /** A fetch at an upstream is over. */
  public void originEnded(String upstream, Cause cause, long nanos) {
    origin.record(nanos);
    Tally byCause = originRequests.get(upstream);
    if (byCause == null) {
      // A fetch outlives the reload that took its upstream; it must not bring the series back.
      byCause =
          originRequests.computeIfAbsent(
              isGoneUpstream(upstream) ? NO_UPSTREAM : upstream,
              unused -> new Tally(Cause.values().length));
    }
    byCause.add(cause.ordinal(), 1);
  }

  /** A further attempt came to something, or was not to be had. */
  public void retried(RetryOutcome outcome) {
    retries.add(outcome.ordinal(), 1);
  }

  /** A permit is held on for an attempt that was left before its end (DEC-29). */
  public void abandoned(String route) {
    routeOf(route).abandon();
  }

  /** An answer that was to be kept was not, or one that was shared may not be. */
  public void notKept(String route, BypassReason reason) {
    routeOf(route).reuse().notKept(reason);
  }

  /** Forgets the series of routes that are gone; any thread may call it. */
  void retainRoutes(Set<String> ids) {
    retained = ids;
    routes.keySet().removeIf(id -> isGone(id));
  }

  /** Forgets the series of upstreams that are gone; any thread may call it. */
  void retainUpstreams(Set<String> labels) {
    retainedUpstreams = labels;
    originRequests.keySet().removeIf(label -> isGoneUpstream(label));
  }

  private boolean isGoneUpstream(String label) {
    Set<String> labels = retainedUpstreams;
    return labels != null && !labels.contains(label) && !label.equals(NO_UPSTREAM);
  }

  private RouteCounters routeOf(String id) {
    RouteCounters found = routes.get(id);
    if (found != null) {
      return found;
    }
    // An exchange outlives the reload that took its route; it must not bring the series back.
    return routes.computeIfAbsent(isGone(id) ? NO_ROUTE : id, unused -> new RouteCounters());
  }

  private boolean isGone(String id) {
    Set<String> ids = retained;
    return ids != null && !ids.contains(id) && !id.equals(NO_ROUTE);
  }

  long openExchanges() {
    return open.get(EXCHANGES);
  }

  long openFlights() {
    return open.get(FLIGHTS);
  }

  LatencyRecorder requests() {
    return requests;
  }

  LatencyRecorder waits() {
    return waits;
  }

  LatencyRecorder origin() {
    return origin;
  }

  Map<String, RouteCounters> routes() {
    return routes;
  }

  /** By the outcome's place in {@link RetryOutcome}. */
  Tally retries() {
    return retries;
  }

  /** By upstream, then by the cause's place in {@link Cause}. */
  Map<String, Tally> originRequests() {
    return originRequests;
  }
}
