package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The field test: one product page that is rendered anew for everybody, a baseline, a step to more
 * arrivals than the origin's processor can render, and the recovery. Confined to Gatling's own
 * threads; the count of free clients is atomic.
 *
 * <p>There are only so many clients. An arrival that finds none free is dropped and counted, as
 * load generators with a bounded pool do; so the backlog of an origin that cannot keep up is
 * bounded, and what it would have been is seen.
 */
public final class FieldTestSimulation extends Simulation {

  private static final String PAGE = "page";
  private static final String DROPPED = "dropped";
  private static final int CLIENTS = Settings.count("clients", 40);
  private static final double CALM = Settings.rate("calm_per_second", 2);
  private static final double STEP = Settings.rate("step_per_second", 20);
  private static final Duration CALM_TIME = Settings.seconds("calm_seconds", 2);
  private static final Duration STEP_TIME = Settings.seconds("step_seconds", 8);
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 3);

  private final Recorder recorder = new Recorder();
  private final AtomicInteger free = new AtomicInteger(CLIENTS);

  public FieldTestSimulation() {
    ChainBuilder visit =
        exec(this::take)
            .exec(
                doIfOrElse(session -> session.getBoolean(DROPPED))
                    .then(exec(session -> recorder.dropped(DROPPED, session)))
                    .orElse(
                        Load.next("field-test.csv")
                            .exec(Load.get(recorder, PAGE, PATIENCE, 200))
                            .exec(this::giveBack)));
    setUp(
            Load.warmed(
                recorder,
                scenario(PAGE)
                    .exec(visit)
                    .injectOpen(
                        constantUsersPerSec(CALM).during(CALM_TIME),
                        constantUsersPerSec(STEP).during(STEP_TIME),
                        constantUsersPerSec(CALM).during(CALM_TIME))))
        .protocols(Load.protocol())
        .assertions(details(PAGE).failedRequests().count().is(0L));
  }

  private Session take(Session session) {
    boolean taken = free.getAndUpdate(clients -> Math.max(0, clients - 1)) > 0;
    return session.set(DROPPED, !taken);
  }

  private Session giveBack(Session session) {
    free.incrementAndGet();
    return session;
  }

  @Override
  public void after() {
    recorder.write(Settings.samples());
  }
}
