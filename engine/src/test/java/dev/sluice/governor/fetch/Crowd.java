package dev.sluice.governor.fetch;

import java.util.Arrays;

/** Upstreams as a balance sees them, with what a test says of each. Confined to the test. */
final class Crowd implements Balance.Candidates {

  final int[] inFlight;
  final long[] latencyNanos;
  final boolean[] eligible;
  private final String[] labels;

  Crowd(String... labels) {
    this.labels = labels;
    this.inFlight = new int[labels.length];
    this.latencyNanos = new long[labels.length];
    this.eligible = new boolean[labels.length];
    Arrays.fill(eligible, true);
    Arrays.fill(latencyNanos, Latency.UNKNOWN);
  }

  static Crowd of(int size) {
    String[] labels = new String[size];
    for (int i = 0; i < size; i++) {
      labels[i] = "10.0.0." + i + ":3000";
    }
    return new Crowd(labels);
  }

  /** Sends one flight there that does not come back. */
  int send(Balance balance, long affinity) {
    int at = balance.choose(affinity, 0, this);
    inFlight[at]++;
    return at;
  }

  @Override
  public int size() {
    return labels.length;
  }

  @Override
  public boolean isEligible(int at) {
    return eligible[at];
  }

  @Override
  public long seed(int at) {
    return HashByPath.hash(labels[at]);
  }

  @Override
  public int inFlight(int at) {
    return inFlight[at];
  }

  @Override
  public long latencyNanos(int at, long nowNanos) {
    return latencyNanos[at];
  }
}
