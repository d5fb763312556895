package dev.sluice.scenarios.simulation;

import java.net.URI;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Clients that read their answers a little at a time, which Gatling's own never do. Each has a
 * thread, because it waits for its bytes there. Thread-safe.
 */
final class SlowReaders implements AutoCloseable {

  private static final long TURN_MILLIS = 100;

  private final List<SlowReader> readers;
  private final ScheduledExecutorService threads;

  /**
   * One reader for each path; none has asked yet.
   *
   * @param target scheme, host and port of a server over HTTP/1.1
   * @param bytesPerSecond each of them takes at most
   */
  SlowReaders(String target, List<String> paths, int bytesPerSecond) {
    URI server = URI.create(target);
    if (!List.of("http", "https").contains(server.getScheme())) {
      throw new IllegalArgumentException("sluice.target: " + target + " (expected: http or https)");
    }
    int bytesATurn = (int) Math.max(1, bytesPerSecond * TURN_MILLIS / 1_000);
    readers = paths.stream().map(path -> new SlowReader(server, path, bytesATurn)).toList();
    threads =
        Executors.newScheduledThreadPool(
            readers.size(),
            task -> {
              Thread thread = new Thread(task, "slow-reader");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** All ask at once, then read. */
  void begin() {
    readers.forEach(reader -> threads.execute(() -> read(reader)));
  }

  private void read(SlowReader reader) {
    reader.begin();
    threads.scheduleWithFixedDelay(reader::takeTurn, 0, TURN_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What each saw so far. */
  List<Sample> samples(String kind) {
    return readers.stream().map(reader -> reader.sample(kind)).toList();
  }

  /** All leave. */
  @Override
  public void close() {
    threads.shutdownNow();
    readers.forEach(SlowReader::close);
  }
}
