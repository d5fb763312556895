package dev.sluice.governor.admit;

import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import java.time.Duration;
import java.util.Map;

/** Limits with the defaults that most tests want. */
final class Limit {
  private final int max;
  private int queueMax = 100;
  private boolean predict;
  private Map<Priority, Integer> priorities = Map.of();
  private Map<Priority, Integer> reservations = Map.of();

  Limit(int max) {
    this.max = max;
  }

  Limit queue(int most) {
    queueMax = most;
    return this;
  }

  Limit predicting() {
    predict = true;
    return this;
  }

  Limit with(Map<Priority, Integer> shares, Map<Priority, Integer> reserved) {
    priorities = shares;
    reservations = reserved;
    return this;
  }

  /** A private route of one unit, normal tier. */
  static Route route(String id, RouteLimits limits) {
    return route(id, RouteClass.PRIVATE_DYNAMIC, limits);
  }

  static Route route(String id, RouteClass of, RouteLimits limits) {
    return new Route(id, "/" + id, of, Priority.NORMAL, 1, OnClientAbort.FINISH, limits);
  }

  AdmitSettings settings() {
    return new AdmitSettings(
        max, 0, 64, 256, 100, queueMax, Duration.ofSeconds(2), predict, priorities, reservations);
  }
}
