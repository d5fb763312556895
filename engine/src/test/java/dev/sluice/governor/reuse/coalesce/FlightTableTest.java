package dev.sluice.governor.reuse.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** DEC-47: one flight a key may be boarded; one that is out of the table takes no more. */
class FlightTableTest {

  private final FlightTable<String, Object> flights = new FlightTable<>();
  private final Object first = new Object();
  private final Object second = new Object();

  @Test
  void firstToOpen_isTheOneToBoard() {
    assertThat(flights.openUnlessOpen("k", first)).isNull();
    assertThat(flights.openUnlessOpen("k", second)).isSameAs(first);
    assertThat(flights.openUnlessOpen("other", second)).isNull();
    assertThat(flights.find("k")).isSameAs(first);
    assertThat(flights.size()).isEqualTo(2);

    Map<String, Object> seen = new HashMap<>();
    flights.each(seen::put);
    assertThat(seen).containsOnly(Map.entry("k", first), Map.entry("other", second));
  }

  @Test
  void close_meansThatFlightAndNoLaterOne() {
    flights.openUnlessOpen("k", first);
    flights.close("k", first);
    assertThat(flights.find("k")).isNull();
    flights.openUnlessOpen("k", second);
    flights.close("k", first);
    assertThat(flights.find("k")).isSameAs(second);
    flights.close("none", first);
    assertThat(flights.size()).isEqualTo(1);
  }

  @Test
  void manyThreads_oneOfThemOpens() throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 200; round++) {
        String key = "k" + round;
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          all.add(() -> flights.openUnlessOpen(key, new Object()) == null);
        }
        int opened = 0;
        for (Future<Boolean> each : threads.invokeAll(all)) {
          opened += each.get() ? 1 : 0;
        }
        assertThat(opened).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
