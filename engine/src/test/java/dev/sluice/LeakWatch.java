package dev.sluice;

import dev.sluice.fixture.Deadline;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Netty's leak reports, which are only log lines otherwise, as failures. A buffer that nobody
 * released is found when it is collected, so a check collects. Thread-safe.
 */
final class LeakWatch {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The first finds what is unreachable now, the others what that held on to. */
  private static final int COLLECTIONS = 3;

  private static final ConcurrentLinkedQueue<String> REPORTS = new ConcurrentLinkedQueue<>();

  private LeakWatch() {}

  /** Reports from here on count. Fails where the build does not track every buffer. */
  static void begin() {
    if (ResourceLeakDetector.getLevel() != ResourceLeakDetector.Level.PARANOID) {
      throw new AssertionError("leak detection: " + ResourceLeakDetector.getLevel());
    }
    ByteBufUtil.setLeakListener((type, records) -> REPORTS.add(type + " leaked" + records));
  }

  /** Fails if a buffer leaked since the last check. */
  static void check() {
    List<String> leaks = collect();
    if (!leaks.isEmpty()) {
      throw new AssertionError(leaks.size() + " LEAK(s):\n" + String.join("\n", leaks));
    }
  }

  /** Every report since the last look, and none of them afterwards. */
  static List<String> collect() {
    for (int i = 0; i < COLLECTIONS; i++) {
      collectGarbage();
      // Netty looks for leaks when it begins to track another buffer.
      ByteBufAllocator.DEFAULT.directBuffer(1).release();
    }
    var found = new ArrayList<String>();
    for (String report = REPORTS.poll(); report != null; report = REPORTS.poll()) {
      found.add(report);
    }
    return found;
  }

  /** Returns once what was unreachable is known to be: a witness of ours is among it. */
  private static void collectGarbage() {
    var queue = new ReferenceQueue<Object>();
    var witness = new WeakReference<>(new Object(), queue);
    Deadline deadline = Deadline.in(PATIENCE);
    try {
      do {
        deadline.check("garbage collection");
        System.gc();
      } while (queue.remove(PATIENCE.toMillis() / COLLECTIONS / 10) != witness);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
