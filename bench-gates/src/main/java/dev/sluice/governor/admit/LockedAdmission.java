package dev.sluice.governor.admit;

import dev.sluice.time.Ticker;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The yardstick of the drain (DEC-48): the same {@link Schedule} behind a lock, as one would write
 * it without JCTools. Results are delivered outside the lock, as the drain's are. Thread-safe.
 */
final class LockedAdmission implements AdmissionDesign {

  private final ReentrantLock lock = new ReentrantLock();
  private final Schedule schedule;
  private final Now now;
  private final long timeoutNanos;

  LockedAdmission(Limits limits, Ticker ticker) {
    this.schedule = new Schedule(limits);
    this.now = new Now(ticker);
    this.timeoutNanos = limits.queueTimeoutNanos();
  }

  @Override
  public void enter(Waiter waiter) {
    waiter.entering();
    apply(waiter, Waiter.ENTER);
    if (waiter.isPending()) {
      waiter.expireIn(timeoutNanos, () -> apply(waiter, Waiter.EXPIRE));
    }
  }

  @Override
  public void leave(Waiter waiter) {
    if (waiter.leaving()) {
      apply(waiter, Waiter.LEAVE);
    }
  }

  @Override
  public void giveBack(Waiter waiter) {
    waiter.returning();
    apply(waiter, Waiter.RETURN);
  }

  private void apply(Waiter waiter, int want) {
    Waiter results;
    lock.lock();
    try {
      now.forget();
      schedule.apply(waiter, want, now);
      results = schedule.takeResults();
    } finally {
      lock.unlock();
    }
    deliver(results);
  }

  private static void deliver(@Nullable Waiter results) {
    Waiter waiter = results;
    while (waiter != null) {
      Waiter next = waiter.nextResult;
      waiter.nextResult = null;
      if (waiter.loop().isCurrent()) {
        waiter.deliver();
      } else {
        waiter.loop().execute(waiter::deliver);
      }
      waiter = next;
    }
  }
}
