package dev.sluice.bench.peers;

import dev.sluice.fixture.launch.RealProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** wrk: load from one thread as fast as it is answered. Immutable. */
record Wrk(Path program, int connections) {

  private static final Duration MORE_THAN_IT_RUNS = Duration.ofSeconds(20);
  private static final Pattern DONE =
      Pattern.compile("(\\d+) requests in [\\d.]+\\w+, ([\\d.]+)([KMG]?)B read");
  private static final Pattern BAD = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern BROKEN = Pattern.compile("Socket errors: .*");

  /**
   * What it saw of one run.
   *
   * @param answers whole ones with a good status
   * @param bytes of heads and bodies, to three digits
   */
  record Result(long answers, double bytes) {}

  /** Asks for so many whole seconds; one answer that is no good fails the run. */
  Result ask(URI target, int seconds, boolean closes) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), "-t1", "-c" + connections, "-d" + seconds + "s"));
    if (closes) {
      command.addAll(List.of("-H", "Connection: close"));
    }
    command.add(target.toString());
    try (RealProcess wrk = RealProcess.start("wrk", command)) {
      int status = wrk.waitForExit(Duration.ofSeconds(seconds).plus(MORE_THAN_IT_RUNS));
      String output = String.join("\n", wrk.tail());
      Matcher done = DONE.matcher(output);
      if (status != 0 || !done.find() || BAD.matcher(output).find() || isBroken(output)) {
        throw new AssertionError(command + " was not served well:\n" + output);
      }
      double bytes = Double.parseDouble(done.group(2)) * unit(done.group(3));
      return new Result(Long.parseLong(done.group(1)), bytes);
    }
  }

  private static boolean isBroken(String output) {
    return BROKEN.matcher(output).find();
  }

  private static long unit(String prefix) {
    return switch (prefix) {
      case "K" -> 1L << 10;
      case "M" -> 1L << 20;
      case "G" -> 1L << 30;
      default -> 1;
    };
  }
}
