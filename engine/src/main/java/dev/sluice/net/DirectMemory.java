package dev.sluice.net;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much of the memory outside the heap is in use: Netty's count where it keeps one, else the
 * JVM's. Thread-safe.
 */
public final class DirectMemory {

  /** DEC-38: above this share new flights are shed. */
  private static final double SHORT_ABOVE = 0.9;

  private final long max;

  /** Against the JVM's own limit. */
  public DirectMemory() {
    this(PlatformDependent.maxDirectMemory());
  }

  /** Against a limit of {@code max} bytes. */
  public DirectMemory(long max) {
    this.max = max;
  }

  /** In bytes. */
  public long used() {
    long counted = PlatformDependent.usedDirectMemory();
    return counted > 0 ? counted : pooled();
  }

  /** In bytes. */
  public long max() {
    return max;
  }

  /** Whether nearly all of it is in use. */
  public boolean isShort() {
    return used() > max * SHORT_ABOVE;
  }

  private static long pooled() {
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        return pool.getMemoryUsed();
      }
    }
    return 0;
  }
}
