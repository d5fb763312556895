package dev.sluice.bench.origin;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.exactly;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three upstreams are started anew, one after the other, under load (DEC-36). */
class RollingRestartGate {

  private static final int CLIENTS = 24;
  private static final String PAGE = "/page/%d?ms=100";
  private static final String PATIENT =
      "concurrency: { max: 60, queue: { max: 500, timeout: 30s, predict: false } }";

  private static final String PROBES =
      "health: { path: /healthz, interval: 200ms, timeout: 200ms, unhealthy_after: 2,"
          + " healthy_after: 2 }";
  private static final String RETRIES =
      "retry: { enabled: true, budget_percent: 50, budget_min: 50 }";

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

  /** Whoever starts them anew tells nobody: the probes and the retries make up for it. */
  @Test
  void inPlace_losesNothingWithRetries() {
    Fleet.claim(
            "rolling-restart-in-place",
            "Upstreams that are restarted in place lose nothing where safe requests are retried.")
        .given("clients", CLIENTS)
        .given("upstreams", 3)
        .judge(
            gate -> {
              gate.control("lost", restartAll(false).lost(), above(0));
              Lost measured = restartAll(false, PROBES, RETRIES);
              gate.measured("lost", measured.lost(), exactly(0));
              gate.measured("answered", measured.whole(), atLeast(CLIENTS * 10));
            });
  }

  private record Lost(long lost, long whole) {}

  private static Lost restartAll(boolean takenOut, String... more) {
    List<String> keys = new ArrayList<>(List.of(more));
    keys.add(PATIENT);
    try (var fleet = Fleet.of(3, keys.toArray(new String[0]))) {
      var load = Load.on(fleet.port(), CLIENTS, PAGE);
      try (load) {
        load.awaitMore(CLIENTS * 2L);
        for (int upstream : fleet.all()) {
          restart(fleet, upstream, takenOut);
          fleet.awaitGauge(upstream, "in_use", 1);
          load.awaitMore(CLIENTS * 2L);
        }
      }
      return new Lost(load.lost() + load.cutInBody(), load.whole());
    }
  }

  private static void restart(Fleet fleet, int upstream, boolean takenOut) {
    if (!takenOut) {
      fleet.restart(upstream);
      return;
    }
    fleet.use(without(fleet, upstream));
    fleet.awaitForgotten(upstream);
    fleet.restart(upstream);
    fleet.use(fleet.all());
  }

  private static List<Integer> without(Fleet fleet, int upstream) {
    return fleet.all().stream().filter(each -> each != upstream).toList();
  }
}
