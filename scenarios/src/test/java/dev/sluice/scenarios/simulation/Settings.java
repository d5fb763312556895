package dev.sluice.scenarios.simulation;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a simulation is told from outside, as system properties. Stateless.
 *
 * <p>{@code sluice.target} is the URL under load; {@code scenario.data} names a folder whose files
 * win over those of the class path; {@code scenario.samples} is the file to write; the rest have
 * names of their own in each simulation, and defaults.
 */
final class Settings {

  private Settings() {}

  /** Scheme, host and port of what is under load, without a slash at its end. */
  static String target() {
    String target = System.getProperty("sluice.target", "");
    if (target.isEmpty()) {
      throw new IllegalArgumentException("sluice.target: not set (expected: a URL)");
    }
    return URI.create(target).resolve("/").toString().replaceFirst("/$", "");
  }

  static Path samples() {
    return Path.of(System.getProperty("scenario.samples", "target/gates/gatling/samples.tsv"));
  }

  /** Where Gatling finds the data file of that name: a path, or a resource. */
  static String data(String file) {
    String folder = System.getProperty("scenario.data", "");
    if (!folder.isEmpty() && Files.isRegularFile(Path.of(folder, file))) {
      return Path.of(folder, file).toAbsolutePath().toString();
    }
    return "scenarios/" + file;
  }

  /** Arrivals per second, or another number that is not whole. */
  static double rate(String name, double otherwise) {
    return Double.parseDouble(System.getProperty("scenario." + name, "" + otherwise));
  }

  static int count(String name, int otherwise) {
    return Integer.getInteger("scenario." + name, otherwise);
  }

  /** A property in seconds, which need not be whole. */
  static Duration seconds(String name, double otherwise) {
    return Duration.ofMillis(Math.round(rate(name, otherwise) * 1_000));
  }

  static String text(String name, String otherwise) {
    return System.getProperty("scenario." + name, otherwise);
  }
}
