package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.csv;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A few clients that read large downloads slowly, and visitors beside them. Confined to Gatling's
 * own threads.
 */
public final class SlowReaderSimulation extends Simulation {

  private static final String PAGE = "page";
  private static final String READER = "slow-reader";
  private static final int READERS = Settings.count("slow_readers", 6);
  private static final int READER_BYTES = Settings.count("reader_bytes_per_second", 32_768);
  private static final double RATE = Settings.rate("per_second", 40);
  private static final Duration TIME = Settings.seconds("seconds", 4);
  private static final Duration LEAD = Settings.seconds("lead_seconds", 3);
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 3);

  private final Recorder recorder = new Recorder();
  private final SlowReaders readers = new SlowReaders(Settings.target(), downloads(), READER_BYTES);

  public SlowReaderSimulation() {
    setUp(
            Load.warmed(
                recorder,
                readers::begin,
                scenario(PAGE)
                    .exec(Load.next("slow-reader-page.csv"))
                    .exec(Load.get(recorder, PAGE, PATIENCE, 200))
                    .injectOpen(nothingFor(LEAD), constantUsersPerSec(RATE).during(TIME))))
        .protocols(Load.protocol())
        .assertions(details(PAGE).failedRequests().count().is(0L));
  }

  private static List<String> downloads() {
    String target =
        "" + csv(Settings.data("slow-reader-download.csv")).readRecords().get(0).get("target");
    return IntStream.range(0, READERS).mapToObj(n -> target.replace("{n}", "" + n)).toList();
  }

  @Override
  public void after() {
    readers.samples(READER).forEach(recorder::add);
    readers.close();
    recorder.write(Settings.samples());
  }
}
