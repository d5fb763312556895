package dev.sluice.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {

  @Test
  void tryTake_pastTheBound_takesNothing() {
    var budget = new ByteBudget(10);
    assertThat(budget.tryTake(10)).isTrue();
    assertThat(budget.tryTake(1)).isFalse();
    assertThat(budget.isSpent()).isTrue();
    budget.giveBack(4);
    assertThat(budget.tryTake(5)).isFalse();
    assertThat(budget.tryTake(4)).isTrue();
    assertThat(budget.tryTake(Long.MAX_VALUE)).isFalse();
    assertThat(budget.used()).isEqualTo(10);
  }

  /** A large request that is refused never stands in the way of a small one that fits. */
  @Test
  void manyThreads_neverSeeMoreThanTheBoundNorAFalseRefusal()
      throws InterruptedException, ExecutionException {
    var budget = new ByteBudget(100);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Long>> work = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        work.add(() -> takeAndGiveBack(budget, 50));
        work.add(() -> askForTooMuch(budget));
      }
      for (Future<Long> wrong : threads.invokeAll(work)) {
        assertThat(wrong.get()).isZero();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(budget.used()).isZero();
  }

  private static long takeAndGiveBack(ByteBudget budget, int bytes) {
    long wrong = 0;
    for (int i = 0; i < 50_000; i++) {
      if (budget.tryTake(bytes)) {
        budget.giveBack(bytes);
      } else {
        wrong++;
      }
    }
    return wrong;
  }

  private static long askForTooMuch(ByteBudget budget) {
    long wrong = 0;
    for (int i = 0; i < 50_000; i++) {
      if (budget.tryTake(101) || budget.used() > 100) {
        wrong++;
      }
    }
    return wrong;
  }
}
