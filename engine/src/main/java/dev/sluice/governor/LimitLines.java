package dev.sluice.governor;

import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.admit.RouteBounds;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Route;
import java.util.ArrayList;
import java.util.List;

/** The limits that a classified request meets, in words, as they are compiled. Stateless. */
final class LimitLines {

  private LimitLines() {}

  static List<String> of(AdmitSettings admit, Classified request) {
    Route route = request.route();
    return switch (request.permitKind()) {
      case RENDER -> render(admit, request);
      case STATIC ->
          ofClass(
              "origin.concurrency.static",
              RouteBounds.ofClass(Ceilings.statics(admit), route),
              route);
      case STREAMING ->
          ofClass(
              "origin.concurrency.streaming",
              RouteBounds.ofClass(Ceilings.streams(admit), route),
              route);
      case UPGRADE ->
          ofClass(
              "upgrade.max_concurrent",
              RouteBounds.ofClass(Ceilings.upgrades(admit), route),
              route);
    };
  }

  private static List<String> render(AdmitSettings admit, Classified request) {
    RouteBounds bounds = RouteBounds.ofRender(admit, request.route());
    var lines = new ArrayList<String>();
    lines.add(
        "limits: " + request.route().weight() + " of " + bounds.max() + " units" + queue(bounds));
    if (admit.perUpstream() > 0) {
      lines.add("each upstream: at most " + admit.perUpstream() + " units");
    }
    lines.add(
        "tier "
            + request.priority().code()
            + ": at most "
            + admit.tierMax(request.priority())
            + " units, "
            + admit.reserved(request.priority())
            + " reserved");
    own(request.route(), bounds, "units", lines);
    return lines;
  }

  private static List<String> ofClass(String ceiling, RouteBounds bounds, Route route) {
    var lines = new ArrayList<String>();
    lines.add("limits: " + ceiling + " " + bounds.max() + queue(bounds));
    own(route, bounds, "requests", lines);
    return lines;
  }

  private static String queue(RouteBounds bounds) {
    return bounds.queueMax() == 0
        ? ", no queue"
        : ", queue " + bounds.queueMax() + " for " + bounds.queueTimeout().toMillis() + "ms";
  }

  /** What the route may have of that. */
  private static void own(Route route, RouteBounds bounds, String what, List<String> lines) {
    boolean queues = bounds.queueMax() > 0 && bounds.routeQueueMax() != RouteBounds.NONE;
    if (bounds.routeMax() != RouteBounds.NONE || queues) {
      String most =
          bounds.routeMax() == RouteBounds.NONE ? "" : " at most " + bounds.routeMax() + " " + what;
      String queue = queues ? " queue " + bounds.routeQueueMax() : "";
      lines.add(
          "route "
              + route.id()
              + ":"
              + most
              + (most.isEmpty() || queue.isEmpty() ? "" : ",")
              + queue);
    }
  }
}
