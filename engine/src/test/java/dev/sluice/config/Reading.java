package dev.sluice.config;

import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Readings on a machine that never changes. Stateless. */
final class Reading {

  static final long MIB = 1L << 20;
  static final Machine MACHINE =
      new Machine(2, 256 * MIB, 1024 * MIB, 2048 * MIB, 20_000, "0badcafe");

  /** The least that a file must say; two lines. */
  static final String LEAST = "version: 1\norigin: { upstreams: [\"127.0.0.1:3000\"] }\n";

  private Reading() {}

  static SettingsResult read(String text, Map<String, String> environment) {
    return new SettingsReader(environment, MACHINE, Strictness.RUN).read("sluice.yaml", text);
  }

  static Accepted accepted(String text) {
    return accepted(text, Map.of());
  }

  static Accepted accepted(String text, Map<String, String> environment) {
    SettingsResult result = read(text, environment);
    if (result instanceof Accepted accepted) {
      return accepted;
    }
    throw new AssertionError("refused: " + result);
  }

  static List<SettingsProblem> errors(String text) {
    return errors(text, Map.of());
  }

  static List<SettingsProblem> errors(String text, Map<String, String> environment) {
    return read(text, environment) instanceof Refused refused ? refused.errors() : List.of();
  }

  static List<String> lines(List<SettingsProblem> problems) {
    return problems.stream().map(SettingsProblem::toString).toList();
  }

  static String resource(String name) {
    try (InputStream in = Reading.class.getResourceAsStream("/" + name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
