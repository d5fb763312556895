package dev.sluice.cli;

import dev.sluice.config.Machine;
import dev.sluice.config.SettingsProblem;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import dev.sluice.config.SettingsSearch;
import dev.sluice.config.Strictness;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --config}, and reading what it names. */
final class ConfigOption {

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration to read.")
  private @Nullable Path config;

  ConfigOption() {}

  /** As if the command line had named {@code config}; null = it named none. */
  ConfigOption(@Nullable Path config) {
    this.config = config;
  }

  /** The file that is read: {@code --config}, the environment, the usual places (CLI-23 to 26). */
  Path file() {
    List<String> args = config == null ? List.of() : List.of("--config", config.toString());
    SettingsSearch.Outcome outcome =
        new SettingsSearch().search(args, System.getenv(), Path.of("").toAbsolutePath());
    if (outcome instanceof SettingsSearch.Outcome.Found found) {
      return found.file();
    }
    String message = ((SettingsSearch.Outcome.Missing) outcome).message();
    throw new Stop(ExitCode.CONFIGURATION, message);
  }

  static SettingsResult read(Path file, Machine machine, Strictness strictness) {
    return new SettingsReader(Map.copyOf(System.getenv()), machine, strictness).read(file);
  }

  /** What the file says; ends the command where it may not be run. */
  static Accepted accepted(SettingsResult result, PrintWriter err) {
    print(result.warnings(), err);
    if (result instanceof Refused refused) {
      print(refused.errors(), err);
      int count = refused.errors().size();
      throw new Stop(
          ExitCode.CONFIGURATION,
          count + (count == 1 ? " error" : " errors") + " in the configuration");
    }
    return (Accepted) result;
  }

  static void print(List<SettingsProblem> problems, PrintWriter err) {
    problems.forEach(err::println);
  }
}
