package dev.sluice.cli;

import dev.sluice.ProcessLog;
import dev.sluice.Sluice;
import dev.sluice.config.Machine;
import dev.sluice.config.ReloadRule;
import dev.sluice.config.Settings;
import dev.sluice.config.SettingsResult;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import dev.sluice.config.Strictness;
import dev.sluice.net.BindFailure;
import dev.sluice.net.tls.TlsProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice run}: the proxy, in the foreground unless told otherwise (CLI-18 to CLI-22). */
@Command(
    name = "run",
    description = "Run the proxy.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "SIGTERM or SIGINT drains and stops, each further one skips the wait under way;",
      "SIGHUP opens the access log again and reads the configuration again; SIGUSR1",
      "fails readiness and goes on serving.",
      "",
      "Examples:",
      "  sluice run --config /etc/sluice/sluice.yaml",
      "  sluice run --test -c new.yaml && kill -HUP $(cat /run/sluice.pid)",
      "  sluice run --daemon -c sluice.yaml 2>>/var/log/sluice.log",
      "",
      "Exit codes: 0 an orderly stop, or what --test or --daemon was asked for is done;",
      "1 the start failed; 2 wrong command line; 3 wrong configuration."
    })
final class RunCommand implements Callable<Integer> {

  private static final Logger log = LoggerFactory.getLogger(RunCommand.class);

  /** Null where the command line was read without picocli. */
  @Spec private @Nullable CommandSpec spec;

  @Mixin private ConfigOption config;

  @Option(
      names = "--test",
      description =
          "Prove that this configuration can start, without touching what runs; then end.")
  private boolean test;

  @Option(names = "--daemon", description = "Detach once it serves; see server.graceful.pid_file.")
  private boolean daemon;

  @Option(
      names = "--exit-after-start",
      hidden = true,
      description = "Start, answer one request, then stop orderly: for the class archive.")
  private boolean exitAfterStart;

  @Option(
      names = "--tell-started",
      hidden = true,
      description = "Write the id here once it serves.")
  private @Nullable Path tellStarted;

  private Machine machine;

  // Options are set by picocli before call.
  @SuppressWarnings("NullAway.Init")
  RunCommand() {}

  /** The command without picocli. */
  static RunCommand of(@Nullable Path config, boolean exitAfterStart) {
    var command = new RunCommand();
    command.config = new ConfigOption(config);
    command.exitAfterStart = exitAfterStart;
    return command;
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    PrintWriter err = err();
    NameCache.off();
    machine = Machine.detect();
    Path file = config.file();
    Settings settings =
        ConfigOption.accepted(ConfigOption.read(file, machine, Strictness.RUN), err).settings();
    ProcessLog.level(settings.log().level());
    if (test) {
      return test(settings);
    }
    if (daemon) {
      return detach(settings, file);
    }
    return exitAfterStart ? rehearse(settings) : serve(settings, file);
  }

  private Integer detach(Settings settings, Path file) throws InterruptedException, IOException {
    if (settings.log().access().equals("stdout")) {
      log.warn("telemetry.logging.access: a daemon has no stdout, access lines go nowhere");
    }
    out().println("started, process " + Daemon.start(file));
    return ExitCode.OK;
  }

  /** Signals are heard from before the first request on, and the pid is there when it is told. */
  private Integer serve(Settings settings, Path file) throws InterruptedException, IOException {
    BlockingQueue<String> signals = Signals.queue();
    try (Sluice sluice = start(settings)) {
      PidFile pidFile = PidFile.write(settings.drain().pidFile());
      try {
        announce(settings, sluice);
        new Service(sluice, signals, running -> reload(running, file)).serve();
      } finally {
        pidFile.remove();
      }
    }
    return ExitCode.OK;
  }

  /** The start, a request, and the end as by SIGTERM, so that the archive has what they need. */
  private Integer rehearse(Settings settings) throws InterruptedException, IOException {
    BlockingQueue<String> signals = Signals.queue();
    try (Rehearsal rehearsal = Rehearsal.open();
        Sluice sluice = start(rehearsal.before(settings))) {
      announce(settings, sluice);
      rehearsal.perform(sluice);
      signals.add("TERM");
      new Service(sluice, signals, running -> {}).serve();
    }
    return ExitCode.OK;
  }

  private void announce(Settings settings, Sluice sluice) throws IOException {
    log.info(
        "listening on {}, port {}; admin port {}",
        settings.net().listen().label(),
        sluice.port(),
        sluice.adminPort());
    if (sluice.tlsPort() != 0) {
      log.info("TLS on port {}, by {}", sluice.tlsPort(), TlsProvider.best().code());
    }
    if (tellStarted != null) {
      Files.writeString(tellStarted, "" + ProcessHandle.current().pid());
    }
  }

  private PrintWriter out() {
    return spec == null
        ? new PrintWriter(System.out, true, Charset.defaultCharset())
        : spec.commandLine().getOut();
  }

  /** Where the command tells what went wrong. */
  PrintWriter err() {
    return spec == null
        ? new PrintWriter(System.err, true, Charset.defaultCharset())
        : spec.commandLine().getErr();
  }

  private Integer test(Settings settings) throws IOException {
    Trial.openFiles(settings);
    start(Trial.onFreePorts(settings)).close();
    out().println("this configuration can start");
    return ExitCode.OK;
  }

  private static Sluice start(Settings settings) throws IOException {
    try {
      return Sluice.start(settings);
    } catch (BindFailure failure) {
      throw new Stop(ExitCode.FAILED, failure.getMessage());
    }
  }

  /** OPS-14, OPS-15: a file that is wrong, or changes what may not change, changes nothing. */
  private void reload(Sluice sluice, Path file) {
    SettingsResult result = ConfigOption.read(file, machine, Strictness.RUN);
    result.warnings().forEach(warning -> log.warn("{}", warning));
    if (result instanceof Refused refused) {
      refused.errors().forEach(error -> log.error("{}", error));
      refuse(sluice, refused.errors().get(0).toString());
      return;
    }
    Settings next = ((Accepted) result).settings();
    List<ReloadRule.Refusal> refusals = ReloadRule.refusals(sluice.settings(), next);
    if (!refusals.isEmpty()) {
      refusals.forEach(refusal -> log.error("{}", refusal));
      refuse(sluice, refusals.get(0).toString());
      return;
    }
    try {
      sluice.reload(next);
      ProcessLog.level(next.log().level());
    } catch (IOException e) {
      log.error("{}", IoWords.of(e));
      refuse(sluice, IoWords.of(e));
    }
  }

  private static void refuse(Sluice sluice, String why) {
    sluice.refuseReload(why);
    log.error("reload refused: the running configuration stays");
  }
}
