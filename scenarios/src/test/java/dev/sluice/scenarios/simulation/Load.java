package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.csv;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.stream.Stream;

/** What all simulations have in common. Stateless. */
final class Load {

  /** The line that is printed when the arrivals that count begin. */
  static final String BEGINS = "arrivals begin";

  /** What the samples of the warm-up are called. */
  static final String WARM_UP = "warm-up";

  private static final int WARM_UP_CLIENTS = 80;
  private static final Duration WARM_UP_TIME = Duration.ofMillis(1_500);

  private Load() {}

  /** One pool of connections for all clients, no cache, no redirect followed. */
  static HttpProtocolBuilder protocol() {
    return http.baseUrl(Settings.target())
        .shareConnections()
        .disableWarmUp()
        .disableCaching()
        .disableFollowRedirect()
        .userAgentHeader("gatling");
  }

  /** The next record's {@code target}, over and over; {@code {n}} in it is the arrival's number. */
  static ChainBuilder next(String file) {
    return feed(csv(Settings.data(file)).circular()).exec(Load::numbered);
  }

  static Session numbered(Session session) {
    String target = session.getString("target");
    if (target == null) {
      throw new IllegalArgumentException("a data file has no column target");
    }
    return session.set("target", target.replace("{n}", "" + session.userId()));
  }

  /** A recorded GET of the session's target. */
  static ChainBuilder get(Recorder recorder, String kind, Duration patience, Integer... expected) {
    return recorder.record(kind, http(kind).get("#{target}").requestTimeout(patience), expected);
  }

  /**
   * These arrivals once the JVM that makes them is warm: a cold one's first second is a backlog of
   * its own. The warm-up asks for a page that costs the origin nothing, its health page unless
   * {@code scenario.warm_up} names another; it is to be answered 200.
   */
  static PopulationBuilder warmed(Recorder recorder, PopulationBuilder... arrivals) {
    return warmed(recorder, () -> {}, arrivals);
  }

  /** The same; {@code begin} is run with the first arrival. */
  static PopulationBuilder warmed(
      Recorder recorder, Runnable begin, PopulationBuilder... arrivals) {
    ChainBuilder page =
        exec(session -> session.set("target", Settings.text("warm_up", "/healthz")))
            .exec(get(recorder, WARM_UP, Duration.ofSeconds(10), 200));
    PopulationBuilder begins =
        scenario("begin").exec(session -> begun(begin, session)).injectOpen(atOnceUsers(1));
    return scenario(WARM_UP)
        .exec(page)
        .injectOpen(rampUsers(WARM_UP_CLIENTS).during(WARM_UP_TIME))
        .andThen(
            Stream.concat(Stream.of(begins), Stream.of(arrivals))
                .toArray(PopulationBuilder[]::new));
  }

  private static Session begun(Runnable begin, Session session) {
    System.out.println(BEGINS);
    begin.run();
    return session;
  }
}
