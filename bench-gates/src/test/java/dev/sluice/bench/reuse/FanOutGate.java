package dev.sluice.bench.reuse;

import static dev.sluice.bench.reuse.ShopFile.publicRoute;
import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.bench.reuse.FirstBytes.Spread;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a crowd on one stream costs: time beside the bare fan-out, memory beside one body each. */
class FanOutGate {

  private static final String BEHIND_THE_FIRST = "first byte, behind the first of all";
  private static final int CROWD = 1_000;
  private static final int WARM_UPS = 12;
  private static final int ROUNDS = 11;
  private static final double MEDIAN_TIMES_MAX = 2;
  private static final double LAST_TIMES_MAX = 3;
  private static final double LAST_MILLIS_MAX = 50;
  private static final Duration START_PATIENCE = Duration.ofSeconds(30);

  @Test
  void thousandOnOneStream_getTheFirstByteNearlyAsTheBareFanOutGivesIt() {
    Shop.claim(
            "fan-out",
            "A thousand on one stream get its first byte within 2 and 3 times the bare fan-out's.")
        .given("crowd", CROWD)
        .given("rounds", ROUNDS)
        .given("event_loops", 1)
        .given("figures_are", "behind the first of all; the median of the rounds")
        .judge(
            gate -> {
              var file =
                  ShopFile.of("cache: { enabled: true }", "routes:", publicRoute("shop"))
                      .server("event_loops: 1");
              try (var shop = Shop.open(file);
                  var bare = bareFanOut(shop.origin().port())) {
                List<Spread> bareRounds = new ArrayList<>();
                List<Spread> rounds = new ArrayList<>();
                // In turn, so that the machine's other work meets both alike.
                for (int i = 0; i < WARM_UPS + ROUNDS; i++) {
                  bareRounds.add(round(bare.port(), i));
                  rounds.add(round(shop.port(), i));
                }
                gate.percentiles(BEHIND_THE_FIRST, "ms", "sluice", allOf(rounds));
                gate.controlPercentiles(BEHIND_THE_FIRST, "ms", "bare fan-out", allOf(bareRounds));
                gate.control("median_millis", overRounds(bareRounds, Spread::medianMillis));
                gate.control("last_millis", overRounds(bareRounds, Spread::lastMillis));
                gate.measured("fewest_answered", fewest(rounds), exactly(CROWD));
                gate.control("fewest_answered", fewest(bareRounds), exactly(CROWD));
                gate.measured("median_millis", overRounds(rounds, Spread::medianMillis));
                gate.measured(
                    "last_millis", overRounds(rounds, Spread::lastMillis), atMost(LAST_MILLIS_MAX));
                gate.measured(
                    "median_times_bare",
                    times(rounds, bareRounds, Spread::medianMillis),
                    atMost(MEDIAN_TIMES_MAX));
                gate.measured(
                    "last_times_bare",
                    times(rounds, bareRounds, Spread::lastMillis),
                    atMost(LAST_TIMES_MAX));
                // One a round of each of the two.
                gate.measured("renders", shop.renders(), exactly(2L * (WARM_UPS + ROUNDS)));
              }
            });
  }

  private static Spread round(int port, int number) throws IOException {
    // Who warms up need not wait until all are aboard.
    int millis = number < WARM_UPS ? 300 : 600;
    String target = "/shop/round-%d?ms=%d&chunks=3&every=100&bytes=9000".formatted(number, millis);
    return FirstBytes.of(port, CROWD, target + Shop.FRESH);
  }

  private static double overRounds(List<Spread> rounds, ToDoubleFunction<Spread> figure) {
    return median(rounds.stream().skip(WARM_UPS).mapToDouble(figure));
  }

  /** How many times the bare one's of the same round: both met what the machine did then. */
  private static double times(
      List<Spread> rounds, List<Spread> bare, ToDoubleFunction<Spread> figure) {
    return median(
        IntStream.range(WARM_UPS, rounds.size())
            .mapToDouble(
                i -> figure.applyAsDouble(rounds.get(i)) / figure.applyAsDouble(bare.get(i))));
  }

  private static double median(DoubleStream figures) {
    double[] sorted = figures.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static double[] allOf(List<Spread> rounds) {
    return rounds.stream()
        .skip(WARM_UPS)
        .flatMapToDouble(round -> Arrays.stream(round.millis()))
        .toArray();
  }

  private static long fewest(List<Spread> rounds) {
    return rounds.stream().skip(WARM_UPS).mapToLong(Spread::count).min().orElse(0);
  }

  /** The yardstick as a process of its own. */
  private record Bare(RealProcess process, int port) implements AutoCloseable {
    @Override
    public void close() {
      process.close();
    }
  }

  private static Bare bareFanOut(int originPort) {
    int port = FreePorts.next();
    var process =
        RealProcess.start(
            "bare-fan-out",
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                BareFanOut.class.getName(),
                "" + port,
                "" + originPort));
    var bare = new Bare(process, port);
    try {
      process.waitForLine("^listening ", START_PATIENCE);
      return bare;
    } catch (RuntimeException | AssertionError e) {
      bare.close();
      throw e;
    }
  }

  @Test
  void crowdThatDoesNotRead_holdsOneBody() {
    int crowd = 100;
    int bytes = 2 << 20;
    Shop.claim("fan-out-memory", "However many follow an answer, its bytes are kept once.")
        .given("crowd", crowd)
        .given("body_bytes", bytes)
        .judge(
            gate -> {
              long all = (long) crowd * bytes >> 20;
              gate.control(
                  "grown_mib",
                  grownMib("/apart/page?bytes=" + bytes, crowd, crowd),
                  above(all * 0.75));
              gate.measured(
                  "grown_mib",
                  grownMib("/shop/page?ms=500&bytes=" + bytes, crowd, 1),
                  below(all * 0.25));
            });
  }

  /** What Sluice's resident memory grew by for clients that have their heads and do not read. */
  private static long grownMib(String target, int crowd, int renders) {
    var file =
        ShopFile.of(
            "cache: { enabled: true }",
            "spool: { max_memory: 300MiB }",
            "routes:",
            publicRoute("shop"),
            publicRoute(
                "apart",
                "coalesce: { enabled: false }",
                "cache: { enabled: false }",
                "spool: { enabled: true }"));
    try (var shop = Shop.open(file, "-Xmx64m", "-XX:MaxDirectMemorySize=1g")) {
      shop.crowd(crowd, target.replace("/page", "/warm").replace("bytes=" + (2 << 20), "bytes=10"));
      long warmed = shop.counted().finishedWriting();
      long before = shop.sluice().process().residentBytes();
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < crowd; i++) {
        clients.add(shop.connectNarrow().get(target + Shop.FRESH));
      }
      clients.forEach(RawClient::readFinalHead);
      shop.awaitOrigin("all bodies", counted -> counted.finishedWriting() == warmed + renders);
      long grown = shop.sluice().process().residentBytes() - before;
      clients.forEach(RawClient::close);
      return grown >> 20;
    }
  }
}
