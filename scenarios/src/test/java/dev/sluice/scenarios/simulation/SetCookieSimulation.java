package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * Many arrivals for one page whose answers set a session, and as many for one that does not.
 * Confined to Gatling's own threads.
 */
public final class SetCookieSimulation extends Simulation {

  private static final double RATE = Settings.rate("per_second", 60);
  private static final Duration TIME = Settings.seconds("seconds", 3);
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 10);

  private final Recorder recorder = new Recorder();

  public SetCookieSimulation() {
    setUp(Load.warmed(recorder, arrivals("session"), arrivals("plain")))
        .protocols(Load.protocol())
        .assertions(global().failedRequests().count().is(0L));
  }

  private PopulationBuilder arrivals(String kind) {
    return scenario(kind)
        .exec(Load.next("set-cookie-" + kind + ".csv"))
        .exec(Load.get(recorder, kind, PATIENCE, 200))
        .injectOpen(constantUsersPerSec(RATE).during(TIME));
  }

  @Override
  public void after() {
    recorder.write(Settings.samples());
  }
}
