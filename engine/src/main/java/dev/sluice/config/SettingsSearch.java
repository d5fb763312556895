package dev.sluice.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the file to read (CLI-23 to CLI-26). Stateless but for the place it looks in last. */
public final class SettingsSearch {

  private static final String OPTION = "--config";
  private static final String VARIABLE = "SLUICE_CONFIG";
  private static final List<String> NAMES = List.of("sluice.yaml", "sluice.yml");

  private final Path system;

  SettingsSearch(Path system) {
    this.system = system;
  }

  /** Looks in {@code /etc/sluice} last. */
  public SettingsSearch() {
    this(Path.of("/etc/sluice"));
  }

  /** What the search came to. */
  public sealed interface Outcome {

    /** The file to read; one that was named outright need not exist. */
    record Found(Path file) implements Outcome {}

    /** There is none; {@code message} says where it was looked for. */
    record Missing(String message) implements Outcome {}
  }

  /**
   * {@code --config} first, then the variable {@code SLUICE_CONFIG}, then {@code cwd}, then the
   * system's directory.
   */
  public Outcome search(List<String> args, Map<String, String> environment, Path cwd) {
    int option = args.indexOf(OPTION);
    if (option >= 0 && option + 1 == args.size()) {
      return new Outcome.Missing(OPTION + " names no file (expected: " + OPTION + " FILE)");
    }
    Optional<String> named = option >= 0 ? Optional.of(args.get(option + 1)) : joined(args);
    String variable = environment.getOrDefault(VARIABLE, "");
    if (named.isEmpty() && !variable.isEmpty()) {
      named = Optional.of(variable);
    }
    return named
        .<Outcome>map(file -> new Outcome.Found(cwd.resolve(file)))
        .orElseGet(() -> usualPlaces(cwd));
  }

  private static Optional<String> joined(List<String> args) {
    return args.stream()
        .filter(arg -> arg.startsWith(OPTION + "="))
        .map(arg -> arg.substring(OPTION.length() + 1))
        .findFirst();
  }

  private Outcome usualPlaces(Path cwd) {
    List<String> looked = new ArrayList<>();
    for (Path directory : List.of(cwd, system)) {
      for (String name : NAMES) {
        Path file = directory.resolve(name);
        if (Files.isRegularFile(file)) {
          return new Outcome.Found(file);
        }
        looked.add(file.toString());
      }
    }
    return new Outcome.Missing(
        "no configuration found; looked for "
            + OPTION
            + ", "
            + VARIABLE
            + ", "
            + String.join(", ", looked)
            + "; sluice init writes one");
  }
}
