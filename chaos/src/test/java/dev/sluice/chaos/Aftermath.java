package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.launch.Account;
import dev.sluice.fixture.launch.LeakLines;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.util.List;

/**
 * What is left in a Sluice when everything is over: no permit, flight, byte, connection or
 * descriptor, and no buffer was lost. Confined to the gate's thread.
 */
final class Aftermath {

  /** So few that none is shed, wherever the ceiling lies. */
  static final int FEW = 3;

  private static final int LAST_ROUNDS = 15;
  private static final int PAGE = 1_000;

  private final SluiceProcess sluice;
  private final int filesAtFirst;

  private Aftermath(SluiceProcess sluice, int filesAtFirst) {
    this.sluice = sluice;
    this.filesAtFirst = filesAtFirst;
  }

  /** Looks at a Sluice that has served a little, so that what is made once is made. */
  static Aftermath of(SluiceProcess sluice) {
    ChaosStack.crowd(sluice.port(), FEW, "/first?bytes=" + PAGE);
    Account last = quiet(sluice);
    if (!last.isQuiet()) {
      throw new AssertionError("still under way: " + last.underWay());
    }
    return new Aftermath(sluice, sluice.process().openFiles());
  }

  /** Waits until nothing is under way and judges what there is then. */
  void judge(Gate gate) {
    quiet(sluice)
        .underWay()
        .forEach((name, count) -> gate.measured(name + "_left", count, exactly(0)));
    int files =
        Await.last(
            () -> sluice.process().openFiles(),
            count -> count <= filesAtFirst,
            ChaosStack.PATIENCE);
    gate.measured("descriptors_at_first", filesAtFirst);
    gate.measured("descriptors_left", files, atMost(filesAtFirst));
    LeakLines.collectGarbage(sluice.process());
    // Netty tells of a lost buffer when the next ones are made.
    long whole = 0;
    for (int i = 0; i < LAST_ROUNDS; i++) {
      var seen = ChaosStack.crowd(sluice.port(), FEW, "/last?bytes=" + PAGE);
      whole += Sight.count(seen, Sight.WHOLE);
    }
    gate.measured("whole_at_last", whole, exactly(LAST_ROUNDS * FEW));
    List<String> leaks = LeakLines.of(sluice.process());
    gate.measured("leaks", leaks.size(), exactly(0));
  }

  /** How long it takes until a page comes whole again; asked again and again. */
  long recoveryMillis(String path) {
    long began = System.nanoTime();
    Await.until(
        "whole page",
        ChaosStack.PATIENCE,
        () -> {
          var seen = ChaosStack.crowd(sluice.port(), 1, path + "?bytes=" + PAGE);
          return Sight.of(seen.visits().get(0)) == Sight.WHOLE;
        });
    return (System.nanoTime() - began) / 1_000_000;
  }

  private static Account quiet(SluiceProcess sluice) {
    return Await.last(() -> Account.parse(sluice.status()), Account::isQuiet, ChaosStack.PATIENCE);
  }
}
