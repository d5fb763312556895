package dev.sluice.cli;

import dev.sluice.Version;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program's commands. Stateless. */
@Command(
    name = "sluice",
    description = "A reverse proxy that stops traffic spikes from becoming render spikes.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Cli.VersionText.class,
    subcommands = {
      InitCommand.class,
      CheckCommand.class,
      RunCommand.class,
      ExplainCommand.class,
      DemoCommand.class,
      VersionCommand.class
    },
    footer = {
      "",
      "Where no --config is given: $SLUICE_CONFIG, ./sluice.yaml, /etc/sluice/sluice.yaml.",
      "Exit codes: 0 done; 1 failed; 2 wrong command line; 3 wrong configuration."
    })
public final class Cli implements Runnable {

  @Spec private CommandSpec spec;

  // spec is set by picocli before run.
  @SuppressWarnings("NullAway.Init")
  Cli() {}

  /** Runs one command; returns the exit code. */
  public static int run(String[] args) {
    RunCommand run = PlainRun.of(args);
    return run == null ? commandLine().execute(args) : call(run);
  }

  private static int call(RunCommand run) {
    try {
      return run.call();
    } catch (IOException | InterruptedException | RuntimeException failure) {
      return failed(failure, run.err());
    }
  }

  static CommandLine commandLine() {
    return new CommandLine(new Cli())
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.AUTO))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, line, parsed) -> failed(failure, line.getErr()));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static int failed(Exception failure, PrintWriter err) {
    if (failure instanceof Stop stop) {
      if (stop.getMessage() != null) {
        err.println("sluice: " + stop.getMessage());
      }
      return stop.exitCode();
    }
    err.println("sluice: failed: " + failure);
    failure.printStackTrace(err);
    return ExitCode.FAILED;
  }

  /** {@code sluice --version}. */
  static final class VersionText implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"sluice " + Version.current()};
    }
  }
}
