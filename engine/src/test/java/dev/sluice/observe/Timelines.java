package dev.sluice.observe;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Ending;
import dev.sluice.outcome.Reuse;
import dev.sluice.outcome.Stage;

/** Exchanges that went as a test says. */
final class Timelines {

  static final long MILLI = 1_000_000;

  private Timelines() {}

  /** GET {@code path}, granted after 2 ms, answered whole after {@code millis} at the origin. */
  static Timeline served(String route, String path, String query, long millis) {
    var exchange = asked(route, path, query);
    exchange.admissionAsked(0);
    exchange.granted(2 * MILLI, true);
    exchange.upstream("127.0.0.1:3000");
    exchange.headCame(3 * MILLI, 1);
    exchange.originEnded(millis * MILLI, 1, true);
    exchange.status(200);
    exchange.ended((millis + 3) * MILLI, 1234, new Ending(Stage.DELIVER, Cause.COMPLETE));
    return exchange;
  }

  /** Waited 10 ms for nothing. */
  static Timeline shed(String route, Cause cause) {
    var exchange = asked(route, "/", "");
    exchange.admissionAsked(0);
    exchange.shed(10 * MILLI);
    exchange.status(503);
    exchange.ended(10 * MILLI, 20, new Ending(Stage.ADMIT, cause));
    return exchange;
  }

  private static Timeline asked(String route, String path, String query) {
    var exchange = new Timeline(0, 7);
    exchange.asks("GET", path, query);
    exchange.askedBy("192.0.2.1", "https", dev.sluice.outcome.Protocol.HTTP_2);
    exchange.classified(route, "private_dynamic", "private_document", "normal");
    exchange.reuse(Reuse.BYPASS, BypassReason.PRIVATE_ROUTE);
    return exchange;
  }
}
