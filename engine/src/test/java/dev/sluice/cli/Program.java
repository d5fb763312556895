package dev.sluice.cli;

import dev.sluice.fixture.launch.RealProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The program in a process of its own, from this JVM's class path. Stateless. */
final class Program {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Starting is most of what these processes do. */
  static final String QUICK_START = "-XX:TieredStopAtLevel=1";

  private Program() {}

  /** What a command came to: both its outputs, in order. */
  record Ran(int exitCode, List<String> lines) {
    String text() {
      return String.join("\n", lines);
    }
  }

  static Ran run(Path folder, Map<String, String> environment, String... arguments) {
    try (RealProcess process = start(folder, environment, arguments)) {
      return new Ran(process.waitForExit(PATIENCE), process.tail());
    }
  }

  static RealProcess start(Path folder, Map<String, String> environment, String... arguments) {
    return RealProcess.start("sluice-command", folder, environment, command(arguments));
  }

  static List<String> command(String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(QUICK_START, "-XX:+UseSerialGC"));
    if (Runtime.version().feature() >= 24) {
      // As the launcher does: else the JVM warns of its libraries on each start.
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("dev.sluice.Sluice");
    command.addAll(List.of(arguments));
    return command;
  }
}
