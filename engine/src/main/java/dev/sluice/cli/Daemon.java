package dev.sluice.cli;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts the program again in a session of its own and waits until it serves (CLI-21). The new
 * process keeps the standard error of the command, so its log goes where the operator sent it; it
 * has no standard output.
 */
final class Daemon {

  private static final long LOOK_MILLIS = 20;
  private static final long LOOKS = TimeUnit.SECONDS.toMillis(60) / LOOK_MILLIS;

  private Daemon() {}

  /**
   * Returns the new process's id; where it did not come to serve it has said why itself, and the
   * command ends with its exit code.
   */
  static long start(Path config) throws IOException, InterruptedException {
    Path started = Files.createTempFile("sluice-started-", "");
    try {
      Process process =
          new ProcessBuilder(command(config, started))
              .redirectInput(new File("/dev/null"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      awaitStart(process, started);
      return process.pid();
    } finally {
      Files.deleteIfExists(started);
    }
  }

  private static void awaitStart(Process process, Path started)
      throws IOException, InterruptedException {
    for (long looks = 0; Files.size(started) == 0; looks++) {
      if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        int exitCode = process.exitValue();
        throw new Stop(
            exitCode == ExitCode.OK ? ExitCode.FAILED : exitCode,
            "the process ended before it served");
      }
      if (looks == LOOKS) {
        process.destroyForcibly();
        throw new Stop(ExitCode.FAILED, "the process did not come to serve within 60 s: ended");
      }
    }
  }

  private static List<String> command(Path config, Path started) {
    var command = new ArrayList<String>();
    // setsid keeps a terminal's hang-up and interrupt from the new process.
    if (Path.of("/usr/bin/setsid").toFile().canExecute()) {
      command.add("/usr/bin/setsid");
    }
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(program(System.getProperty("java.class.path")));
    command.addAll(List.of("run", "--config", config.toAbsolutePath().toString()));
    command.addAll(List.of("--tell-started", started.toString()));
    return command;
  }

  /** A jar is started as one: what its manifest opens and enables counts only then. */
  private static List<String> program(String classPath) {
    boolean oneJar = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
    return oneJar ? List.of("-jar", classPath) : List.of("-cp", classPath, "dev.sluice.Sluice");
  }
}
