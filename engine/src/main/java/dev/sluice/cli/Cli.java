package dev.sluice.cli;

import dev.sluice.Version;
import dev.sluice.config.Nearest;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

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
      "Without --config: $SLUICE_CONFIG, ./sluice.yaml, then /etc/sluice/sluice.yaml.",
      "",
      "Examples:",
      "  sluice demo",
      "  sluice init --upstream 127.0.0.1:3000 && sluice check && sluice run",
      "  sluice COMMAND --help",
      "",
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
        .setParameterExceptionHandler(Cli::misread)
        .setExecutionExceptionHandler((failure, line, parsed) -> failed(failure, line.getErr()));
  }

  /**
   * What is wrong, what was perhaps meant, and where to read on: three lines, not the whole help.
   */
  private static int misread(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("sluice: " + failure.getMessage());
    suggestion(failure, command).ifPresent(meant -> err.println("did you mean: " + meant));
    err.println("see: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  private static Optional<String> suggestion(ParameterException failure, CommandLine command) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)) {
      return Optional.empty();
    }
    String typed = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
    CommandSpec spec = command.getCommandSpec();
    if (!typed.startsWith("-")) {
      return Nearest.of(typed, spec.subcommands().keySet()).map(name -> "sluice " + name);
    }
    Set<String> names = new TreeSet<>();
    spec.options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> names.addAll(List.of(option.names())));
    return Nearest.of(typed, names);
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
    if (failure instanceof IOException refused) {
      err.println("sluice: " + IoWords.of(refused));
      return ExitCode.FAILED;
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
