package dev.sluice.scenarios;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import dev.sluice.scenarios.HealthCheck.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Sluice does for a real Next.js application: its health route answers beside a crowd of heavy
 * renders, streamed pages still stream, and bodies come through byte for byte.
 */
final class NextStorefrontGate {

  private static final int CROWD = 50;
  private static final Duration PROBE_EVERY = Duration.ofMillis(200);
  private static final int PROBES = 40;
  private static final int DIRECT_MEDIAN_MILLIS_OVER = 2000;
  private static final int GOVERNED_MILLIS_BELOW = 1000;

  /** The slow region comes 800 ms after the shell; half of that leaves room for a busy machine. */
  private static final int SHELL_AHEAD_MILLIS_OVER = 400;

  private static final int COPIES = 4;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void healthz_besideTheCrowd_takesSecondsDirectlyAndUnderASecondThroughSluice() {
    claim(
            "next-health",
            "Half of a Next.js health route's answers come within a second beside a crowd.")
        .given("crowd", CROWD)
        .given("probes", PROBES)
        .given("probe_every_millis", PROBE_EVERY.toMillis())
        .given("heavy_ceiling", GovernedStorefront.HEAVY_CEILING)
        .judge(
            gate -> {
              try (Storefront storefront = Storefront.start(gate)) {
                Crowded direct = askBesideTheCrowd(storefront.base(), storefront);
                gate.control("median_millis", direct.median(), above(DIRECT_MEDIAN_MILLIS_OVER));
                gate.control("slowest_millis", direct.slowest());
                gate.control("crowd_saw", direct.outcomes().keySet(), equalTo(Set.of("200")));
                gate.control(
                    "origin_heavy_peak",
                    direct.stats().heavyPeak(),
                    above(5 * GovernedStorefront.HEAVY_CEILING));
              }
              try (Storefront storefront = Storefront.start(gate);
                  GovernedStorefront sluice = GovernedStorefront.before(storefront)) {
                Crowded governed = askBesideTheCrowd(sluice.base(), storefront);
                gate.measured("median_millis", governed.median(), below(GOVERNED_MILLIS_BELOW));
                gate.measured("slowest_millis", governed.slowest());
                gate.measured("answered_200_ok", governed.ok(), exactly(PROBES));
                gate.measured("crowd_saw", governed.outcomes().keySet(), equalTo(Set.of("200")));
                gate.measured(
                    "origin_heavy_peak",
                    governed.stats().heavyPeak(),
                    exactly(GovernedStorefront.HEAVY_CEILING));
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void streamedPage_throughSluice_arrivesProgressively(String encoding) {
    claim("next-stream-" + encoding, "A page that Next.js streams still arrives part by part.")
        .given("encoding", encoding)
        .judge(
            gate -> {
              try (Storefront storefront = Storefront.start(gate);
                  GovernedStorefront sluice = GovernedStorefront.before(storefront)) {
                var direct = StreamedPage.read(client, storefront.base(), encoding);
                gate.control(
                    "shell_ahead_millis", direct.aheadMillis(), above(SHELL_AHEAD_MILLIS_OVER));
                var governed = StreamedPage.read(client, sluice.base(), encoding);
                gate.measured("shell_after_millis", governed.shell().toMillis());
                gate.measured(
                    "shell_ahead_millis", governed.aheadMillis(), above(SHELL_AHEAD_MILLIS_OVER));
              }
            });
  }

  @Test
  void plainBodies_throughSluice_equalTheDirectAnswers() {
    claim("next-bodies", "Bodies of Next.js come through byte for byte.")
        .given("copies_at_once", COPIES)
        .judge(
            gate -> {
              try (Storefront storefront = Storefront.start(gate);
                  GovernedStorefront sluice = GovernedStorefront.before(storefront)) {
                int differ = 0;
                int differDirectly = 0;
                int notOk = 0;
                var questions = PlainAnswer.questions(client, storefront.base());
                for (PlainAnswer.Question question : questions) {
                  PlainAnswer direct = PlainAnswer.get(client, storefront.base(), question);
                  PlainAnswer again = PlainAnswer.get(client, storefront.base(), question);
                  notOk += direct.status() == 200 ? 0 : 1;
                  differDirectly += again.equals(direct) ? 0 : 1;
                  for (PlainAnswer copy :
                      PlainAnswer.copies(client, sluice.base(), question, COPIES)) {
                    differ += copy.equals(direct) ? 0 : 1;
                  }
                }
                gate.control("differ_when_asked_twice", differDirectly, exactly(0));
                gate.control("not_200", notOk, exactly(0));
                gate.measured("kinds_of_answers", questions.size());
                gate.measured("differ_from_the_direct_answer", differ, exactly(0));
              }
            });
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }

  private static Crowded askBesideTheCrowd(URI base, Storefront storefront) throws Exception {
    try (SteadyCrowd crowd = SteadyCrowd.gather(base, CROWD)) {
      crowd.awaitFirstAnswer();
      List<Answer> answers = new HealthCheck(base).ask(PROBES, PROBE_EVERY);
      return new Crowded(answers, crowd.disperse(), storefront.stats());
    }
  }

  /** What was seen beside the crowd: by the health check, by the crowd, and by the origin. */
  private record Crowded(
      List<Answer> answers, Map<String, Integer> outcomes, Storefront.Stats stats) {

    long median() {
      List<Duration> sorted = answers.stream().map(Answer::took).sorted().toList();
      return sorted.get(sorted.size() / 2).toMillis();
    }

    long slowest() {
      return answers.stream().mapToLong(answer -> answer.took().toMillis()).max().orElseThrow();
    }

    long ok() {
      return answers.stream().filter(answer -> answer.said().equals("200 ok")).count();
    }
  }
}
