package dev.sluice.governor;

import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.PermitKind;
import dev.sluice.governor.classify.RouteLimits;
import java.util.ArrayList;
import java.util.List;

/** The limits that a classified request meets, in words. Stateless. */
final class LimitLines {

  private LimitLines() {}

  static List<String> of(AdmitSettings admit, Classified request) {
    if (request.permitKind() == PermitKind.STATIC) {
      return List.of("limits: origin.concurrency.static " + admit.staticMax());
    }
    if (request.permitKind() == PermitKind.STREAMING) {
      return List.of("limits: origin.concurrency.streaming " + admit.streamingMax() + ", no queue");
    }
    if (request.permitKind() == PermitKind.UPGRADE) {
      return List.of("limits: upgrade.max_concurrent " + admit.upgradeMax() + ", no queue");
    }
    var lines = new ArrayList<String>();
    lines.add(
        "limits: "
            + request.route().weight()
            + " of "
            + admit.max()
            + " units, queue "
            + admit.queueMax()
            + " for "
            + admit.queueTimeout().toMillis()
            + "ms");
    lines.add(
        "tier "
            + request.priority().code()
            + ": at most "
            + admit.tierMax(request.priority())
            + " units, "
            + admit.reserved(request.priority())
            + " reserved");
    RouteLimits own = request.route().limits();
    if (own.max() != null) {
      lines.add("route " + request.route().id() + ": at most " + own.max() + " units");
    }
    return lines;
  }
}
