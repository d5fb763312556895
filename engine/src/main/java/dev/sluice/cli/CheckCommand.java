package dev.sluice.cli;

import dev.sluice.config.Machine;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.Strictness;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice check}: is this file right? Binds nothing, contacts nobody (CLI-12 to CLI-17). */
@Command(
    name = "check",
    description = "Tell everything that is wrong with a configuration, without starting anything.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  sluice check --config sluice.yaml",
      "  sluice check --effective | grep concurrency",
      "",
      "Exit codes: 0 it can be run, warnings or not; 2 wrong command line;",
      "3 it has errors, each told with its place."
    })
final class CheckCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigOption config;

  @Option(names = "--effective", description = "Print every value in force and where it came from.")
  private boolean effective;

  // Options are set by picocli before call.
  @SuppressWarnings("NullAway.Init")
  CheckCommand() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Path file = config.file();
    Accepted accepted =
        ConfigOption.accepted(
            ConfigOption.read(file, Machine.detect(), Strictness.CHECK),
            spec.commandLine().getErr());
    if (effective) {
      accepted.effective().lines().forEach(out::println);
    }
    accepted.notes().forEach(out::println);
    out.println(file + ": ok, fingerprint " + accepted.settings().fingerprint());
    return ExitCode.OK;
  }
}
