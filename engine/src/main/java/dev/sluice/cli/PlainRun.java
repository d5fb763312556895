package dev.sluice.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The command lines that services start with, {@code run} and {@code run --config FILE}, read
 * without picocli, which takes about a third of the time to ready: it looks at every command, and a
 * class archive cannot hold it. Any other line, a wrong one too, is picocli's. Stateless.
 */
final class PlainRun {

  private PlainRun() {}

  /** The command that {@code args} mean; null where picocli is to read them. */
  static @Nullable RunCommand of(String[] args) {
    if (args.length == 0 || !args[0].equals("run")) {
      return null;
    }
    boolean exitAfterStart = args[args.length - 1].equals("--exit-after-start");
    int end = exitAfterStart ? args.length - 1 : args.length;
    if (end == 1) {
      return RunCommand.of(null, exitAfterStart);
    }
    boolean named =
        end == 3 && (args[1].equals("--config") || args[1].equals("-c")) && isFile(args[2]);
    return named ? RunCommand.of(Path.of(args[2]), exitAfterStart) : null;
  }

  /** Words that begin otherwise mean something else to picocli. */
  private static boolean isFile(String word) {
    return !word.isEmpty()
        && (Character.isLetterOrDigit(word.charAt(0)) || "/._".indexOf(word.charAt(0)) >= 0);
  }
}
