package dev.sluice.bench.origin;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.exactly;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Three upstreams are started anew, one after the other, under load (DEC-36). */
class RollingRestartGate {

  private static final int CLIENTS = 24;
  private static final String PAGE = "/page/%d?ms=100";
  private static final String PATIENT =
      "concurrency: { max: 60, queue: { max: 500, timeout: 30s, predict: false } }";

  @Test
  void takenOutByReload_losesNothing() {
    Fleet.claim(
            "rolling-restart",
            "Upstreams that a reload takes out before their restart lose nothing under load.")
        .given("clients", CLIENTS)
        .given("upstreams", 3)
        .judge(
            gate -> {
              Lost control = restartAll(false);
              gate.control("lost", control.lost(), above(0));
              Lost measured = restartAll(true);
              gate.measured("lost", measured.lost(), exactly(0));
              gate.measured("answered", measured.whole(), atLeast(CLIENTS * 10));
            });
  }

  private record Lost(long lost, long whole) {}

  private static Lost restartAll(boolean takenOut) {
    try (var fleet = Fleet.of(3, PATIENT)) {
      var load = Load.on(fleet.port(), CLIENTS, PAGE);
      try (load) {
        load.awaitMore(CLIENTS * 2L);
        for (int upstream : fleet.all()) {
          if (takenOut) {
            fleet.use(without(fleet, upstream));
            fleet.awaitIdle(upstream);
          }
          fleet.restart(upstream);
          fleet.use(fleet.all());
          load.awaitMore(CLIENTS * 2L);
        }
      }
      return new Lost(load.lost() + load.cutInBody(), load.whole());
    }
  }

  private static List<Integer> without(Fleet fleet, int upstream) {
    return fleet.all().stream().filter(each -> each != upstream).collect(Collectors.toList());
  }
}
