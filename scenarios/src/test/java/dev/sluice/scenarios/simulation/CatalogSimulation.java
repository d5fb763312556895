package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * Steady arrivals for the few pages of a catalog, and for as many that are kept for no outage;
 * something happens to the origin meanwhile. Confined to Gatling's own threads.
 */
public final class CatalogSimulation extends Simulation {

  private static final double RATE = Settings.rate("per_second", 60);
  private static final Duration TIME = Settings.seconds("seconds", 8);
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 5);

  private final Recorder recorder = new Recorder();

  public CatalogSimulation() {
    setUp(Load.warmed(recorder, arrivals("catalog"), arrivals("plain")))
        .protocols(Load.protocol())
        // Of the other pages many fail: they are what the catalog would be.
        .assertions(details("catalog").failedRequests().count().is(0L));
  }

  private PopulationBuilder arrivals(String kind) {
    return scenario(kind)
        .exec(Load.next(kind + ".csv"))
        .exec(Load.get(recorder, kind, PATIENCE, 200))
        .injectOpen(constantUsersPerSec(RATE).during(TIME));
  }

  @Override
  public void after() {
    recorder.write(Settings.samples());
  }
}
