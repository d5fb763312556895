package dev.sluice.cli;

import dev.sluice.config.InitWriter;
import dev.sluice.config.Machine;
import dev.sluice.config.SettingsProblem;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult.Refused;
import dev.sluice.config.Strictness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice init}: a first configuration, private and bounded (CLI-02 to CLI-11). */
@Command(
    name = "init",
    description = "Write a first configuration: everything private, everything bounded.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  sluice init --upstream 127.0.0.1:3000 --listen 0.0.0.0:8080 --concurrency 16",
      "  sluice init --config sluice.local.yaml",
      "",
      "Exit codes: 0 written; 1 not written, the file exists or cannot be made;",
      "2 wrong command line."
    })
final class InitCommand implements Callable<Integer> {

  private static final StandardOpenOption WRITE = StandardOpenOption.WRITE;
  private static final StandardOpenOption CUT = StandardOpenOption.TRUNCATE_EXISTING;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      defaultValue = "sluice.yaml",
      description = "The file to write; an existing one is left alone. Default: ${DEFAULT-VALUE}.")
  private Path config;

  @Option(
      names = "--upstream",
      paramLabel = "HOST:PORT",
      defaultValue = InitWriter.DEFAULT_UPSTREAM,
      description = "Where the application listens. Default: ${DEFAULT-VALUE}.")
  private String upstream;

  @Option(
      names = "--listen",
      paramLabel = "ADDR:PORT",
      defaultValue = InitWriter.DEFAULT_LISTEN,
      description = "Where Sluice listens. Default: ${DEFAULT-VALUE}.")
  private String listen;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "" + InitWriter.DEFAULT_CONCURRENCY,
      description =
          "Requests at the origin at once; twice as many may wait. Default: ${DEFAULT-VALUE}.")
  private int concurrency;

  @Option(names = "--force", description = "Overwrite an existing file.")
  private boolean force;

  // Options are set by picocli before call.
  @SuppressWarnings("NullAway.Init")
  InitCommand() {}

  @Override
  public Integer call() throws IOException {
    if (Files.exists(config) && !force) {
      throw new Stop(ExitCode.FAILED, config + " exists and is left alone; --force overwrites it");
    }
    if (concurrency < 1) {
      throw new Stop(ExitCode.USAGE, "--concurrency: " + concurrency + " (expected: at least 1)");
    }
    String text = new InitWriter(upstream, listen, concurrency).text();
    requireSound(text);
    Files.writeString(
        config,
        text,
        force ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW,
        WRITE,
        CUT);
    spec.commandLine()
        .getOut()
        .println("wrote " + config + "; next: sluice check --config " + config);
    return ExitCode.OK;
  }

  /** Options that make no configuration leave no file behind (CLI-11). */
  private static void requireSound(String text) {
    var reader = new SettingsReader(Map.of(), Machine.detect(), Strictness.CHECK);
    if (reader.read("init", text) instanceof Refused refused) {
      SettingsProblem first = refused.errors().get(0);
      throw new Stop(ExitCode.USAGE, first.keyPath() + ": " + first.message());
    }
  }
}
