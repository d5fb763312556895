package dev.sluice.cli;

import dev.sluice.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sluice version} (CLI-01). */
@Command(
    name = "version",
    description = "Print the version.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: sluice version", "", "Exit codes: 0 done; 2 wrong command line."})
final class VersionCommand implements Runnable {

  @Spec private CommandSpec spec;

  // spec is set by picocli before run.
  @SuppressWarnings("NullAway.Init")
  VersionCommand() {}

  @Override
  public void run() {
    spec.commandLine()
        .getOut()
        .println(
            "sluice " + Version.current() + " (Java " + System.getProperty("java.version") + ")");
  }
}
