package dev.sluice.application;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program and all that it started, as one thing that ends together. Where the machine has {@code
 * setsid} it is a session of its own, so that a terminal's interrupt does not reach it while
 * requests are still served, and one signal reaches all of it; where it has {@code setpriv} the
 * kernel ends the program when this process is killed. Thread-safe.
 */
final class ProcessFamily {

  private static final String SETSID = "/usr/bin/setsid";
  private static final List<String> SETPRIV =
      List.of("/usr/bin/setpriv", "--pdeathsig", "TERM", "--");
  private static final String SHELL = "/bin/sh";
  private static final long SIGNAL_SECONDS = 5;

  private final Process process;
  private final boolean isSession;

  private ProcessFamily(Process process, boolean isSession) {
    this.process = process;
    this.isSession = isSession;
  }

  /**
   * Starts {@code command} with this process's environment and without input. The calling thread
   * has to live as long as the program: the kernel takes its end for this process's.
   *
   * @throws IOException where there is no such program
   */
  static ProcessFamily start(List<String> command) throws IOException {
    requireProgram(command.get(0));
    boolean isSession = isThere(SETSID) && isThere(SHELL);
    var line = new ArrayList<String>();
    if (isSession) {
      line.add(SETSID);
    }
    if (isThere(SETPRIV.get(0))) {
      line.addAll(SETPRIV);
    }
    line.addAll(command);
    Process process =
        new ProcessBuilder(line)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .start();
    return new ProcessFamily(process, isSession);
  }

  /** The programs before it would start in any case, so it is looked for as they will. */
  private static void requireProgram(String program) throws IOException {
    String path = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    boolean isPath = program.contains(File.separator);
    boolean found =
        isPath
            ? isThere(program)
            : Stream.of(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> isThere(Path.of(folder, program).toString()));
    if (!found) {
      throw new IOException(
          "origin.command: " + program + (isPath ? " cannot be executed" : " is not on PATH"));
    }
  }

  private static boolean isThere(String program) {
    File file = new File(program);
    return file.isFile() && file.canExecute();
  }

  Process process() {
    return process;
  }

  /** The program and what it started, as far as they are alive. */
  List<ProcessHandle> members() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  /** Asks all of them to end. */
  void terminate() {
    if (!signal("TERM")) {
      process.destroy();
    }
  }

  /** Ends all of them at once, those too whose parent is gone. */
  void kill() {
    List<ProcessHandle> members = members();
    signal("KILL");
    members.forEach(ProcessHandle::destroyForcibly);
  }

  /** To the whole session; the JDK can only signal one process. False where it has none. */
  private boolean signal(String name) {
    if (!isSession) {
      return false;
    }
    try {
      Process kill =
          new ProcessBuilder(SHELL, "-c", "kill -s " + name + " -- -" + process.pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS) && kill.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
