package dev.sluice.bench.origin;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.bench.origin.LeavingOrigin.Farewell;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.launch.SluiceProcess;
import org.junit.jupiter.api.Test;

/** Many attempts on few connections are governed as others are (ORG-26, DEC-13, DEC-50). */
class Http2OriginGate {

  private static final int CROWD = 120;
  private static final int CEILING = 12;
  private static final int CLIENTS = 24;
  private static final int EACH = 40;
  private static final String QUEUE =
      "concurrency: { max: %d, queue: { max: 500, timeout: 30s, predict: false } }";

  @Test
  void crowd_onFewConnections_originPeak_isTheCeiling() {
    Fleet.claim(
            "h2-origin-ceiling",
            "Over few HTTP/2 connections the origin's own peak is the ceiling all the same.")
        .given("crowd", CROWD)
        .given("ceiling", CEILING)
        .given("page", "300 ms")
        .judge(
            gate -> {
              // One connection carries a hundred: nothing in the protocol spares the origin.
              Seen wide = crowd(CROWD);
              gate.control("origin_peak_without_the_ceiling", wide.peak(), exactly(CROWD));
              gate.control("connections_without_the_ceiling", wide.connections(), atMost(4));

              Seen held = crowd(CEILING);
              gate.measured("answered_200", held.answered(), exactly(CROWD));
              gate.measured("asked_over_http2", held.http2(), exactly(CROWD));
              gate.measured("connections", held.connections(), atMost(4));
              gate.measured("origin_peak", held.peak(), exactly(CEILING));
            });
  }

  private record Seen(long answered, long peak, long connections, long http2) {}

  private static Seen crowd(int ceiling) {
    try (var fleet = Fleet.of(1, "http_version: http2", QUEUE.formatted(ceiling))) {
      long before = fleet.counted(0).connectionsTotal();
      CrowdResult crowd =
          Crowd.gets(fleet.port(), CROWD, "/page/%d?ms=1500&bytes=2000"::formatted, Fleet.PATIENCE);
      OriginStats counted = fleet.counted(0);
      // Asking for the counts is a connection of its own.
      long connections = counted.connectionsTotal() - before - 1;
      return new Seen(
          crowd.complete(200), counted.peakInFlight(), connections, counted.http2Requests());
    }
  }

  /** Orders, which nobody may send twice: only the origin's own word makes them askable again. */
  @Test
  void goAwayUnderLoad_losesAndDoublesNothing() {
    Fleet.claim(
            "h2-origin-goaway",
            "An origin that leaves its connections under load loses no POST and gets none twice.")
        .given("clients", CLIENTS)
        .given("requests_a_connection", EACH)
        .judge(
            gate -> {
              gate.control("lost_where_it_just_closes", leave(Farewell.CLOSE).lost(), above(0));

              Left told = leave(Farewell.GOAWAY);
              gate.control("connections_left", told.farewells(), atLeast(20));
              gate.control("asked_above_the_last_stream", told.refused(), above(0));
              gate.measured("lost", told.lost(), exactly(0));
              gate.measured("processed_twice", told.twice(), exactly(0));
              gate.measured("answered", told.answered(), exactly(told.processed()));
            });
  }

  private record Left(
      long answered, long lost, long processed, long twice, long refused, long farewells) {}

  private static Left leave(Farewell farewell) {
    try (var origin = LeavingOrigin.start(farewell, EACH, 5);
        var sluice = SluiceProcess.start(SluiceProcess.jar(), config(origin.port()))) {
      var load = Load.posting(sluice.port(), CLIENTS, "/order/%d");
      try (load) {
        Fleet.await("the origin's leaving", () -> origin.farewells() >= 30);
      }
      return new Left(
          load.whole(),
          load.lost() + load.cutInBody(),
          origin.processed(),
          origin.processedTwice(),
          origin.refused(),
          origin.farewells());
    }
  }

  private static String config(int origin) {
    return """
        version: 1
        server: { listen: "127.0.0.1:{{port}}", graceful: { drain_period: 0s } }
        origin:
          upstreams: ["127.0.0.1:%d"]
          http_version: http2
          %s
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(origin, QUEUE.formatted(CLIENTS));
  }
}
