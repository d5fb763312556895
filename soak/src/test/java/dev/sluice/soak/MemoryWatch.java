package dev.sluice.soak;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.launch.Account;
import dev.sluice.reports.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at a process's memory, its store and its spools again and again. Confined to one thread.
 */
final class MemoryWatch {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final double MIB = 1 << 20;

  private final long beganNanos = System.nanoTime();
  private final List<Long> resident = new ArrayList<>();
  private final List<Point> residentPoints = new ArrayList<>();
  private final List<Point> storePoints = new ArrayList<>();
  private long storeMost;
  private long pinnedMost;
  private long spoolMost;
  private long heapMost;
  private long directMost;

  static MemoryWatch until(Deadline end, SoakStack stack) {
    var watch = new MemoryWatch();
    do {
      watch.look(stack);
      LockSupport.parkNanos(LOOK_NANOS);
    } while (!end.isOver());
    return watch;
  }

  private void look(SoakStack stack) {
    resident.add(stack.sluice().process().residentBytes());
    residentPoints.add(Point.since(beganNanos, resident.get(resident.size() - 1) / MIB));
    String status = stack.sluice().status();
    StoreState store = StoreState.parse(status);
    storePoints.add(Point.since(beganNanos, store.bytes() / MIB));
    storeMost = Math.max(storeMost, store.bytes());
    pinnedMost = Math.max(pinnedMost, store.pinnedBytes());
    Account account = Account.parse(status);
    spoolMost = Math.max(spoolMost, account.spoolBytes());
    heapMost = Math.max(heapMost, account.heapBytes());
    directMost = Math.max(directMost, account.directBytes());
  }

  int looks() {
    return resident.size();
  }

  /** Resident MiB over time. */
  List<Point> residentPoints() {
    return residentPoints;
  }

  /** The store's MiB over time. */
  List<Point> storePoints() {
    return storePoints;
  }

  long residentMost() {
    return resident.stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  /** How much more memory the last third took than the second, each by its median. */
  long residentGrowth() {
    int third = resident.size() / 3;
    return median(resident.subList(2 * third, resident.size()))
        - median(resident.subList(third, 2 * third));
  }

  long storeMost() {
    return storeMost;
  }

  long pinnedMost() {
    return pinnedMost;
  }

  long spoolMost() {
    return spoolMost;
  }

  /** Garbage included, as much as a collection had left by then. */
  long heapMost() {
    return heapMost;
  }

  long directMost() {
    return directMost;
  }

  private static long median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
