package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.csv;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A crawler asks for every article of every category, each URL once, beside a few visitors: some
 * for the home page that all share, some for pages of their own. Confined to Gatling's own threads.
 */
public final class CrawlSimulation extends Simulation {

  private static final double CRAWL = Settings.rate("crawl_per_second", 1_000);
  private static final int URLS = Settings.count("urls", 10_000);
  private static final double VISITORS = Settings.rate("visitors_per_second", 10);
  private static final String QUERY = Settings.text("crawl_query", "?burn=2&bytes=4096");
  private static final Duration PATIENCE = Settings.seconds("patience_seconds", 3);

  private final Recorder recorder = new Recorder();

  public CrawlSimulation() {
    List<Map<String, Object>> urls = urls();
    Duration time = Duration.ofMillis(Math.round(1_000 * urls.size() / CRAWL));
    setUp(
            Load.warmed(
                recorder,
                scenario("crawl")
                    .exec(feed(listFeeder(urls).circular()))
                    .exec(Load.get(recorder, "crawl", PATIENCE, 200, 503))
                    .injectOpen(constantUsersPerSec(CRAWL).during(time)),
                visitors("home", time),
                visitors("own", time)))
        .protocols(Load.protocol())
        .assertions(
            details("home").failedRequests().count().is(0L),
            details("own").failedRequests().count().is(0L));
  }

  private PopulationBuilder visitors(String kind, Duration time) {
    return scenario(kind)
        .exec(Load.next("crawl-" + kind + ".csv"))
        .exec(Load.get(recorder, kind, PATIENCE, 200))
        .injectOpen(constantUsersPerSec(VISITORS).during(time));
  }

  /** Every article of every category. */
  private static List<Map<String, Object>> urls() {
    List<Map<String, Object>> urls = new ArrayList<>();
    for (Map<String, Object> category : csv(Settings.data("crawl-categories.csv")).readRecords()) {
      for (Map<String, Object> article : csv(Settings.data("crawl-articles.csv")).readRecords()) {
        urls.add(Map.of("target", category.get("path") + "/" + article.get("article") + QUERY));
      }
    }
    return urls.subList(0, Math.min(URLS, urls.size()));
  }

  @Override
  public void after() {
    recorder.write(Settings.samples());
  }
}
