package dev.sluice.governor.fetch.attempts;

/**
 * How many retries the process can afford: a share of its flights' first attempts, so that an
 * outage is not made worse by those who ask again (ORG-19 to ORG-21, field case A03). A retry is
 * charged when it is scheduled, so what waits in its back-off has been paid for. Thread-safe: one
 * lock, held for an addition.
 */
public final class RetryBudget {

  private volatile RetrySettings settings = RetrySettings.OFF;

  // Guarded by this object's lock.
  private Slices slices = Slices.from(0, RetrySettings.OFF.window());
  private SlidingCount firsts = new SlidingCount();
  private SlidingCount retries = new SlidingCount();

  /** From now on it goes by {@code next}; another window begins anew. */
  public synchronized void enforce(RetrySettings next, long now) {
    if (!next.window().equals(settings.window()) || !settings.enabled()) {
      slices = Slices.from(now, next.window());
      firsts = new SlidingCount();
      retries = new SlidingCount();
    }
    settings = next;
  }

  /** A flight begins its first attempt. */
  public void first(long now) {
    if (settings.enabled()) {
      count(now);
    }
  }

  private synchronized void count(long now) {
    firsts.add(slices.at(now));
  }

  /** Charges one retry; false where the budget is spent, and then none is to be made. */
  public synchronized boolean take(long now) {
    long slice = slices.at(now);
    long affordable =
        Math.max(settings.budgetMin(), firsts.sum(slice) * settings.budgetPercent() / 100);
    if (!settings.enabled() || retries.sum(slice) >= affordable) {
      return false;
    }
    retries.add(slice);
    return true;
  }

  /** The retry that was charged at {@code taken} asks nobody after all. */
  public synchronized void giveBack(long taken) {
    retries.takeBack(slices.at(taken));
  }
}
