package dev.sluice.scenarios.load;

import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.RepoRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One simulation in a JVM of its own, with a clean heap; Gatling asks nobody on the net. Closing it
 * ends it. Thread-safe.
 */
final class GatlingRun implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int ASSERTION_FAILED = 2;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final RealProcess process;
  private final Path samples;

  private GatlingRun(RealProcess process, Path samples) {
    this.process = process;
    this.samples = samples;
  }

  /** Starts it against a URL. */
  static GatlingRun start(Run.Job job, String url, boolean writesReport) {
    Path folder = RepoRoot.path().resolve("target/gates/gatling");
    String name = job.simulation().getSimpleName() + "-" + NUMBER.incrementAndGet();
    Path samples = folder.resolve(name + ".tsv");
    List<String> command = new ArrayList<>(java());
    command.add("-Dsluice.target=" + url);
    command.add("-Dscenario.samples=" + samples);
    job.settings().forEach((key, value) -> command.add("-Dscenario." + key + "=" + value));
    // What the command line says wins over what the gate says.
    System.getProperties()
        .stringPropertyNames()
        .forEach(key -> addIfSetting(command, key, System.getProperty(key)));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("io.gatling.app.Gatling", "-s", job.simulation().getName()));
    command.addAll(List.of("-rf", folder.toString()));
    if (!writesReport) {
      command.add("-nr");
    }
    create(folder);
    return new GatlingRun(RealProcess.start("gatling-" + name, command), samples);
  }

  private static void addIfSetting(List<String> command, String key, String value) {
    if (key.startsWith("scenario.")) {
      command.add("-D" + key + "=" + value);
    }
  }

  private static List<String> java() {
    Path prefs = RepoRoot.path().resolve("scenarios/target/prefs");
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Dgatling.data.enableAnalytics=false",
        "-Dgatling.http.warmUpUrl=",
        // It asks for a newer release once a day: here nobody answers.
        "-Dhttps.proxyHost=127.0.0.1",
        "-Dhttps.proxyPort=9",
        "-Djava.util.prefs.userRoot=" + prefs);
  }

  /** Waits until the warm-up is over and the arrivals that count begin. */
  void awaitBegin() {
    process.waitForLine("^arrivals begin", PATIENCE);
  }

  /**
   * Waits for its end; says whether Gatling's own assertions held.
   *
   * @throws AssertionError if it ended in any other way
   */
  boolean awaitEnd() {
    int status = process.waitForExit(PATIENCE);
    if (status != 0 && status != ASSERTION_FAILED) {
      throw new AssertionError("gatling: exit status " + status + ": " + process.tail());
    }
    return status == 0;
  }

  Samples samples() {
    return Samples.read(samples);
  }

  /** The report's first page, from the repository's folder on; none if there is none. */
  String report() {
    String root = RepoRoot.path().toUri().getPath();
    return process.tail().stream()
        .filter(line -> line.contains(root) && line.endsWith("index.html"))
        .map(line -> line.substring(line.indexOf(root) + root.length()))
        .findFirst()
        .orElse("none");
  }

  @Override
  public void close() {
    process.close();
  }

  private static void create(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("folder " + folder, e);
    }
  }
}
