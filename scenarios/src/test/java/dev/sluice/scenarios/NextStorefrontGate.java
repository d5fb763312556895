package dev.sluice.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.scenarios.HealthCheck.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Sluice does for a real Next.js application: its health route answers beside a crowd of heavy
 * renders, streamed pages still stream, and bodies come through byte for byte.
 */
final class NextStorefrontGate {

  private static final int CROWD = 50;
  private static final int HEAVY_CEILING = 2;
  private static final Duration PROBE_EVERY = Duration.ofMillis(200);
  private static final int PROBES = 40;
  private static final Duration DIRECT_MEDIAN_OVER = Duration.ofSeconds(2);
  private static final Duration GOVERNED_WITHIN = Duration.ofSeconds(1);

  /** The slow region comes 800 ms after the shell; half of that leaves room for a busy machine. */
  private static final Duration SHELL_AHEAD = Duration.ofMillis(400);

  private static final int COPIES = 4;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeAll
  static void buildTheApplication() throws Exception {
    Storefront.build();
  }

  @Test
  void healthz_askedDirectlyBesideTheCrowd_takesSeconds() throws Exception {
    try (Storefront storefront = Storefront.start()) {
      Crowded crowded = askBesideTheCrowd(storefront.base(), storefront);

      crowded.print("direct");
      assertThat(crowded.median()).isGreaterThan(DIRECT_MEDIAN_OVER);
      assertThat(crowded.outcomes()).containsOnlyKeys("200");
      assertThat(crowded.stats().heavyPeak()).isGreaterThan(5 * HEAVY_CEILING);
    }
  }

  @Test
  void healthz_askedThroughSluiceBesideTheCrowd_answersWithinASecond() throws Exception {
    try (Storefront storefront = Storefront.start();
        GovernedStorefront sluice = GovernedStorefront.before(storefront)) {
      Crowded crowded = askBesideTheCrowd(sluice.base(), storefront);

      crowded.print("through Sluice");
      assertThat(crowded.answers())
          .allSatisfy(answer -> assertThat(answer.said()).isEqualTo("200 ok"))
          .allSatisfy(answer -> assertThat(answer.took()).isLessThan(GOVERNED_WITHIN));
      assertThat(crowded.outcomes()).containsOnlyKeys("200");
      assertThat(crowded.stats().heavyPeak()).isEqualTo(HEAVY_CEILING);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void streamedPage_throughSluice_arrivesProgressively(String encoding) throws Exception {
    try (Storefront storefront = Storefront.start();
        GovernedStorefront sluice = GovernedStorefront.before(storefront)) {
      StreamedPage.Arrivals direct = StreamedPage.read(client, storefront.base(), encoding);
      StreamedPage.Arrivals governed = StreamedPage.read(client, sluice.base(), encoding);

      System.out.printf(
          "streamed page, %s: direct %s, through Sluice %s%n", encoding, direct, governed);
      assertThat(direct.slowRegion().minus(direct.shell())).isGreaterThan(SHELL_AHEAD);
      assertThat(governed.slowRegion().minus(governed.shell())).isGreaterThan(SHELL_AHEAD);
    }
  }

  @Test
  void plainBodies_throughSluice_equalTheDirectAnswers() throws Exception {
    try (Storefront storefront = Storefront.start();
        GovernedStorefront sluice = GovernedStorefront.before(storefront)) {
      for (PlainAnswer.Question question : PlainAnswer.questions(client, storefront.base())) {
        PlainAnswer direct = PlainAnswer.get(client, storefront.base(), question);
        assertThat(PlainAnswer.get(client, storefront.base(), question)).isEqualTo(direct);

        List<PlainAnswer> governed = PlainAnswer.copies(client, sluice.base(), question, COPIES);

        System.out.printf("%s: %s, %d copies through Sluice%n", question, direct, governed.size());
        assertThat(direct.status()).isEqualTo(200);
        assertThat(governed).hasSize(COPIES).allSatisfy(copy -> assertThat(copy).isEqualTo(direct));
      }
    }
  }

  private static Crowded askBesideTheCrowd(URI base, Storefront storefront) throws Exception {
    try (Crowd crowd = Crowd.gather(base, CROWD)) {
      crowd.awaitFirstAnswer();
      List<Answer> answers = new HealthCheck(base).ask(PROBES, PROBE_EVERY);
      return new Crowded(answers, crowd.disperse(), storefront.stats());
    }
  }

  /** What was seen beside the crowd: by the health check, by the crowd, and by the origin. */
  private record Crowded(
      List<Answer> answers, Map<String, Integer> outcomes, Storefront.Stats stats) {

    Duration median() {
      return answers.stream().map(Answer::took).sorted().toList().get(answers.size() / 2);
    }

    void print(String how) {
      List<Duration> sorted = answers.stream().map(Answer::took).sorted().toList();
      System.out.printf(
          "healthz %s: crowd %d, probes %d every %s, median %s, last %s; crowd saw %s; origin %s%n",
          how,
          CROWD,
          PROBES,
          PROBE_EVERY,
          median(),
          sorted.get(sorted.size() - 1),
          outcomes,
          stats);
    }
  }
}
