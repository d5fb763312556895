package dev.sluice.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the program again in a session of its own and waits until it serves (CLI-21). */
final class Daemon {

  private Daemon() {}

  /** Returns the new process's id; ends the command where it did not come to serve. */
  static long start(Path config) throws IOException {
    Process process =
        new ProcessBuilder(command(config))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectErrorStream(false)
            .start();
    process.getOutputStream().close();
    var err =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    var said = new ArrayList<String>();
    for (String line = err.readLine(); line != null; line = err.readLine()) {
      said.add(line);
      if (line.contains(" listening on ")) {
        return process.pid();
      }
    }
    said.forEach(System.err::println);
    throw new Stop(ExitCode.FAILED, "the process ended before it served");
  }

  private static List<String> command(Path config) {
    var command = new ArrayList<String>();
    // setsid keeps a terminal's hang-up and interrupt from the new process.
    if (Path.of("/usr/bin/setsid").toFile().canExecute()) {
      command.add("/usr/bin/setsid");
    }
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("dev.sluice.Sluice");
    command.addAll(List.of("run", "--config", config.toAbsolutePath().toString()));
    return command;
  }
}
