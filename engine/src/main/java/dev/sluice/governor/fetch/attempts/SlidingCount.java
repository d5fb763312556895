package dev.sluice.governor.fetch.attempts;

/** How often something happened within the last {@link Slices}. Guarded by its owner. */
final class SlidingCount {

  private final long[] counts = new long[Slices.COUNT];
  private long last;
  private long sum;

  /** Once more, in {@code slice}. */
  void add(long slice) {
    advance(slice);
    counts[index(last)]++;
    sum++;
  }

  /** One of those in {@code slice} did not happen; nothing where they are forgotten by now. */
  void takeBack(long slice) {
    if (slice > last - Slices.COUNT && counts[index(slice)] > 0) {
      counts[index(slice)]--;
      sum--;
    }
  }

  /** Within the slices up to {@code slice}. */
  long sum(long slice) {
    advance(slice);
    return sum;
  }

  /** Time only goes on: a caller that read its clock earlier counts in the slice of the latest. */
  private void advance(long slice) {
    long steps = Math.min(slice - last, Slices.COUNT);
    for (long i = 0; i < steps; i++) {
      int next = index(slice - i);
      sum -= counts[next];
      counts[next] = 0;
    }
    last = Math.max(last, slice);
  }

  private static int index(long slice) {
    return (int) (slice % Slices.COUNT);
  }
}
