package dev.sluice.cli;

import dev.sluice.ProcessLog;
import dev.sluice.Sluice;
import dev.sluice.config.Machine;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.Strictness;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.net.BindFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice demo}: the same crowd, first at the origin itself, then through Sluice. */
@Command(
    name = "demo",
    description = {
      "Show what Sluice does.",
      "A slow origin, a crowd that asks it directly, the same crowd through Sluice,",
      "and what the origin itself counted."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  sluice demo",
      "  sluice demo --crowd 200 --render 500 --ceiling 20 --stay",
      "",
      "Exit codes: 0 the origin's own counts show it; 1 they do not; 2 wrong command line."
    })
final class DemoCommand implements Callable<Integer> {

  private static final int CROWD_MAX = 10_000;
  private static final int RENDER_MILLIS_MAX = 60_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--crowd",
      paramLabel = "N",
      defaultValue = "60",
      description = "Requests at once, each for a page of its own. Default: ${DEFAULT-VALUE}.")
  private int crowd;

  @Option(
      names = "--render",
      paramLabel = "MS",
      defaultValue = "1000",
      description = "What a page takes at the origin, in ms. Default: ${DEFAULT-VALUE}.")
  private int renderMillis;

  @Option(
      names = "--ceiling",
      paramLabel = "N",
      defaultValue = "10",
      description = "origin.concurrency.max. Default: ${DEFAULT-VALUE}.")
  private int ceiling;

  @Option(names = "--stay", description = "Go on running for a look at /status and /metrics.")
  private boolean stay;

  // Options are set by picocli before call.
  @SuppressWarnings("NullAway.Init")
  DemoCommand() {}

  @Override
  public Integer call() throws InterruptedException, IOException {
    checkOptions();
    ProcessLog.level("warn");
    PrintWriter out = spec.commandLine().getOut();
    try (SlowOrigin origin = SlowOrigin.start(SlowOriginSettings.defaults());
        Sluice sluice = start(origin.port())) {
      out.printf(
          "%d requests at once, each for a page of its own that takes the origin %d ms;%n"
              + "through Sluice with origin.concurrency.max: %d%n%n",
          crowd, renderMillis, ceiling);
      var table = new DemoTable(out, origin);
      table.head();
      Demo.Outcome direct = run("directly", origin.port(), table);
      long directPeak = origin.stats().peakInFlight();
      origin.reset();
      Demo.Outcome governed = run("through Sluice", sluice.port(), table);
      OriginStats counted = origin.stats();
      table.verdict(direct, directPeak, governed, counted.peakInFlight(), ceiling);
      if (stay) {
        stay(out, origin, sluice);
      }
      boolean shown = directPeak > ceiling && counted.peakInFlight() <= ceiling;
      return shown ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private void checkOptions() {
    if (ceiling < 1 || ceiling > CROWD_MAX) {
      throw usage("--ceiling: " + ceiling + " (expected: 1 to " + CROWD_MAX + ")");
    }
    if (crowd <= ceiling || crowd > CROWD_MAX) {
      // No more than fit at once would show nothing.
      throw usage(
          "--crowd: "
              + crowd
              + " (expected: above --ceiling "
              + ceiling
              + ", to "
              + CROWD_MAX
              + ")");
    }
    if (renderMillis < 1 || renderMillis > RENDER_MILLIS_MAX) {
      throw usage("--render: " + renderMillis + " (expected: 1 to " + RENDER_MILLIS_MAX + ")");
    }
  }

  private static Stop usage(String message) {
    return new Stop(ExitCode.USAGE, message);
  }

  private Demo.Outcome run(String how, int port, DemoTable table) throws InterruptedException {
    return new Demo(how, port, crowd, renderMillis, table).run();
  }

  private Sluice start(int originPort) throws IOException {
    String text =
        """
        version: 1
        server: { listen: "127.0.0.1:0", graceful: { drain_period: 0s } }
        origin:
          upstreams: ["127.0.0.1:%d"]
          concurrency: { max: %d, queue: { max: %d, timeout: %ds, predict: false } }
        telemetry: { admin: { listen: "127.0.0.1:0" }, logging: { access: none } }
        """
            .formatted(
                originPort,
                ceiling,
                Math.max(1, crowd),
                Math.max(10, 2L * crowd * renderMillis / ceiling / 1000));
    var reader = new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN);
    try {
      return Sluice.start(
          ConfigOption.accepted(reader.read("demo", text), spec.commandLine().getErr()).settings());
    } catch (BindFailure failure) {
      throw new Stop(ExitCode.FAILED, failure.getMessage());
    }
  }

  private static void stay(PrintWriter out, SlowOrigin origin, Sluice sluice)
      throws InterruptedException {
    out.printf(
        "%nstill running, until Ctrl-C:%n"
            + "  a page       http://127.0.0.1:%d/any?ms=1000%n"
            + "  status       http://127.0.0.1:%d/status%n"
            + "  metrics      http://127.0.0.1:%d/metrics%n"
            + "  the origin   http://127.0.0.1:%d/__stats%n",
        sluice.port(), sluice.adminPort(), sluice.adminPort(), origin.port());
    out.flush();
    new Service(sluice, Signals.queue(), running -> {}).serve();
  }

  /** How long one crowd may take at most. */
  static Duration patience(int crowd, int renderMillis) {
    return Duration.ofMillis(30_000L + 2L * crowd * renderMillis);
  }
}
