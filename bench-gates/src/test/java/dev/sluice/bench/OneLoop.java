package dev.sluice.bench;

import com.sun.management.ThreadMXBean;
import dev.sluice.Sluice;
import dev.sluice.config.Machine;
import dev.sluice.config.Settings;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.Strictness;
import dev.sluice.net.BindFailure;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;

/**
 * A Sluice with one event loop in this JVM, and what that loop's thread allocates. Meanwhile leak
 * detection, which allocates for each buffer, is off. Confined to one thread.
 */
final class OneLoop implements AutoCloseable {

  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
  private final Sluice sluice;
  private final long loop;

  /** {@code more}: further top-level blocks of the configuration. */
  OneLoop(int originPort, String more) throws BindFailure, IOException {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    sluice = Sluice.start(settings(originPort, more));
    loop = eventLoop();
  }

  int port() {
    return sluice.port();
  }

  /** Heap bytes that the loop's thread allocates for each of so many {@code exchanges}. */
  double bytesForEach(int exchanges, Runnable exchange) {
    return bytesForEach(loop, exchanges, exchange);
  }

  /** The same for a thread of any kind. */
  static double bytesForEach(long thread, int times, Runnable once) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 0; i < times; i++) {
      once.run();
    }
    return (double) (threads.getThreadAllocatedBytes(thread) - before) / times;
  }

  @Override
  public void close() {
    sluice.close();
    ResourceLeakDetector.setLevel(level);
  }

  /** The one thread that carries traffic. */
  private static long eventLoop() {
    long[] found =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("sluice-loop"))
            .mapToLong(Thread::getId)
            .toArray();
    if (found.length != 1) {
      throw new AssertionError("event loops: " + Arrays.toString(found) + " (expected: one)");
    }
    return found[0];
  }

  private static Settings settings(int originPort, String more) {
    String text =
        """
        version: 1
        server: { listen: "127.0.0.1:0", event_loops: 1, graceful: { drain_period: 0s } }
        origin: { upstreams: ["127.0.0.1:%d"] }
        telemetry: { admin: { listen: "127.0.0.1:0" }, logging: { access: none } }
        %s"""
            .formatted(originPort, more);
    var reader = new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN);
    if (reader.read("gate", text) instanceof Accepted accepted) {
      return accepted.settings();
    }
    throw new AssertionError("the configuration was refused:\n" + text);
  }
}
