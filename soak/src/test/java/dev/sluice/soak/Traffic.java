package dev.sluice.soak;

import dev.sluice.fixture.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Many visitors at once for a while. Stateless. */
final class Traffic {

  private static final Duration STUCK = Duration.ofSeconds(90);
  private static final long PROGRESS_SECONDS = 30;

  private Traffic() {}

  /** Sends {@code workers} visitors until {@code end}, and waits for all of them. */
  static Ledger run(
      SoakStack stack, int workers, long seed, Deadline end, Function<Random, Asks> asks)
      throws Exception {
    var ledger = new Ledger();
    var seeds = new Random(seed);
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        running.add(threads.submit(new Visitor(stack.port(), seeds.nextLong(), end, ledger, asks)));
      }
      for (Future<?> visitor : running) {
        awaitEnd(visitor, stack, end, ledger);
      }
    } finally {
      threads.shutdownNow();
    }
    return ledger;
  }

  private static void awaitEnd(Future<?> visitor, SoakStack stack, Deadline end, Ledger ledger)
      throws Exception {
    Deadline stuck = null;
    while (true) {
      try {
        visitor.get(PROGRESS_SECONDS, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException failed) {
        ledger.wrong("a client failed: " + failed.getCause());
        return;
      } catch (TimeoutException goesOn) {
        System.out.println("soak: " + ledger.counts() + " " + stack.account());
        if (end.isOver()) {
          stuck = stuck == null ? Deadline.in(STUCK) : stuck;
          stuck.check("end of a client");
        }
      }
    }
  }
}
