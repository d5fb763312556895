package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * A spike on one page: a few arrivals a second, then very many, then few again. Confined to
 * Gatling's own threads, as its recorder is.
 */
public final class SpikeSimulation extends Simulation {

  private static final String PAGE = "page";
  private static final double CALM = Settings.rate("calm_per_second", 10);
  private static final double SPIKE = Settings.rate("spike_per_second", 300);
  private static final Duration CALM_TIME = Settings.seconds("calm_seconds", 1);
  private static final Duration SPIKE_TIME = Settings.seconds("spike_seconds", 4);
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 10);

  private final Recorder recorder = new Recorder();

  public SpikeSimulation() {
    ChainBuilder visit = Load.next("spike.csv").exec(Load.get(recorder, PAGE, PATIENCE, 200));
    setUp(
            Load.warmed(
                recorder,
                scenario(PAGE)
                    .exec(visit)
                    .injectOpen(
                        constantUsersPerSec(CALM).during(CALM_TIME),
                        constantUsersPerSec(SPIKE).during(SPIKE_TIME),
                        constantUsersPerSec(CALM).during(CALM_TIME))))
        .protocols(Load.protocol())
        .assertions(details(PAGE).failedRequests().count().is(0L));
  }

  @Override
  public void after() {
    recorder.write(Settings.samples());
  }
}
