package dev.sluice.chaos;

import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.launch.Account;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.util.function.Supplier;

/** An upload that its client's line cuts, once it is under way: it is not whole to the origin. */
final class CutUpload {

  private CutUpload() {}

  /**
   * Judges one.
   *
   * @param path of the upload and of nothing else
   * @param visit returns when its client has seen the end, which the origin may hear of later
   */
  static void judge(
      Gate gate, SluiceProcess sluice, Supplier<OriginStats> origin, String path, Runnable visit) {
    Await.until(
        "flights that are over",
        ChaosStack.PATIENCE,
        () -> Account.parse(sluice.status()).flights() == 0);
    long before = Await.last(origin, stats -> stats.inFlight() == 0, ChaosStack.PATIENCE).aborted();
    visit.run();
    OriginStats then =
        Await.last(
            origin,
            stats -> stats.requestsUnder(path) > 0 && stats.inFlight() == 0,
            ChaosStack.PATIENCE);
    gate.control("cut_upload_at_the_origin", then.requestsUnder(path), exactly(1));
    gate.measured("cut_upload_aborted_there", then.aborted() - before, exactly(1));
  }
}
