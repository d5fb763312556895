package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * More arrivals for pages that nobody can share than the origin can render. Confined to Gatling's
 * own threads.
 */
public final class ShedSimulation extends Simulation {

  private static final String PAGE = "page";
  private static final double RATE = Settings.rate("per_second", 40);
  private static final Duration TIME = Settings.seconds("seconds", 6);
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 3);

  private final Recorder recorder = new Recorder();

  public ShedSimulation() {
    setUp(
            Load.warmed(
                recorder,
                scenario(PAGE)
                    .exec(Load.next("shed.csv"))
                    .exec(Load.get(recorder, PAGE, PATIENCE, 200, 503))
                    .injectOpen(constantUsersPerSec(RATE).during(TIME))))
        .protocols(Load.protocol())
        .assertions(details(PAGE).failedRequests().count().is(0L));
  }

  @Override
  public void after() {
    recorder.write(Settings.samples());
  }
}
