package dev.sluice.reports;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the numbers of a gate were measured on; they are one machine's measurement, not a baseline.
 * Immutable.
 *
 * @param commit "" where git does not tell
 */
public record Machine(String cpu, int cores, String system, String jdk, String commit) {
  private static final long GIT_PATIENCE_SECONDS = 10;

  /** This machine and JVM, and the commit of the repository in this folder. */
  public static Machine here(Path root) {
    return new Machine(
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        property("os.name") + " " + property("os.version") + " " + property("os.arch"),
        property("java.vm.name") + " " + property("java.runtime.version"),
        commit(root));
  }

  private static String property(String name) {
    return System.getProperty(name, "");
  }

  private static String cpuModel() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("");
    } catch (IOException notLinux) {
      return "";
    }
  }

  private static String commit(Path root) {
    try {
      Process git =
          new ProcessBuilder("git", "rev-parse", "HEAD")
              .directory(root.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      boolean ended = git.waitFor(GIT_PATIENCE_SECONDS, TimeUnit.SECONDS);
      return ended && git.exitValue() == 0 ? output.trim() : "";
    } catch (IOException noGit) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
