package dev.sluice.governor.judge;

import static dev.sluice.governor.judge.Policies.file;
import static dev.sluice.governor.judge.Policies.page;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.Lifetime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The rows of {@code sharing.txt}: what was asked, what came, what the route permits. */
class JudgeShareTest {

  private static final long NOW = 1_800_000_000_000L;
  private static final Pattern BETWEEN_FIELDS = Pattern.compile(" // ");

  /** What real origins send again and again, by the word that the rows have for it. */
  private static final Map<String, String> WORDS =
      Map.of(
          "$HTML", "Content-Type: text/html; charset=utf-8",
          "$RSC", "Content-Type: text/x-component",
          "$JS", "Content-Type: application/javascript; charset=UTF-8",
          "$PRIV", "Cache-Control: private, no-cache, no-store, max-age=0, must-revalidate",
          "$V4",
              "Vary: rsc, next-router-state-tree, next-router-prefetch,"
                  + " next-router-segment-prefetch, Accept-Encoding",
          "$IMMUTABLE", "Cache-Control: public, max-age=31536000, immutable",
          "$FRESH", "Cache-Control: public, max-age=60",
          "$ISR", "Cache-Control: s-maxage=5, stale-while-revalidate=31535995",
          "$YEAR", "Cache-Control: s-maxage=31536000",
          "$MICRO", "kept 0/2000/30000/300000 plain+override");

  private static final Map<String, Asked> ASKED =
      Map.of(
          "page",
          Policies.PAGE,
          "rsc",
          Policies.RSC,
          "prefetch",
          Policies.PREFETCH,
          "prefetch, whole",
          page(true, true, true, false),
          "whole",
          Policies.WHOLE,
          "draft",
          asked(RouteClass.PUBLIC_SSR, RequestClass.DRAFT, "/p"),
          "mutation",
          asked(RouteClass.PUBLIC_SSR, RequestClass.MUTATION, "/p"),
          "private",
          asked(RouteClass.PRIVATE_DYNAMIC, RequestClass.OTHER, "/p"));

  private static final Map<String, SharePolicy> POLICIES =
      Map.ofEntries(
          Map.entry("plain", Policies.PLAIN),
          Map.entry("none", SharePolicy.NONE),
          Map.entry("override", Policies.OVERRIDE),
          Map.entry("flight", Policies.COALESCE_OVERRIDE),
          Map.entry("cache off", Policies.policy(CachePolicy.OFF)),
          Map.entry("ttl 2", kept(2L, 0, false, false)),
          Map.entry("ttl 10", kept(10L, 0, false, false)),
          Map.entry("ttl 3600", kept(3600L, 0, false, false)),
          Map.entry("statuses", kept(null, 0, true, false)),
          Map.entry("heuristic", kept(100L, 0, false, true)),
          Map.entry("stale", kept(null, 30, false, false)));

  /**
   * A policy without override; {@code stale} seconds while revalidating, ten times so on errors.
   */
  private static SharePolicy kept(
      @Nullable Long ttl, long stale, boolean statuses, boolean heuristic) {
    return Policies.policy(
        new CachePolicy(
            true,
            false,
            ttl == null ? null : Duration.ofSeconds(ttl),
            stale == 0 ? null : Duration.ofSeconds(stale),
            Duration.ofSeconds(10 * stale),
            statuses,
            heuristic));
  }

  @ParameterizedTest(name = "{0}: {3} by {4} -> {5}")
  @CsvFileSource(resources = "sharing.txt", delimiter = '|', quoteCharacter = '`')
  void share_row_isJudgedSo(
      String row, String asked, int status, String fields, String policy, String expected) {
    Sharing sharing = Judge.share(asked(asked), head(status, fields), found(POLICIES, policy), NOW);
    assertThat(sharing.match(new Shown()))
        .as(row)
        .isEqualTo(WORDS.getOrDefault(expected, expected));
  }

  private static Asked asked(String text) {
    if (text.startsWith("file ")) {
      return file(text.substring(5));
    }
    return text.startsWith("at ")
        ? asked(RouteClass.PUBLIC_DYNAMIC, RequestClass.OTHER, text.substring(3))
        : found(ASKED, text);
  }

  private static Asked asked(RouteClass routeClass, RequestClass requestClass, String path) {
    return new Asked(routeClass, requestClass, false, false, path, "gzip", false, false);
  }

  private static <T> T found(Map<String, T> table, String word) {
    T value = table.get(word);
    return Objects.requireNonNull(value, word);
  }

  private static ResponseHead head(int status, String fields) {
    List<String> namesAndValues = new ArrayList<>();
    Framing framing = Framing.Chunked.INSTANCE;
    for (String word : BETWEEN_FIELDS.splitAsStream(fields).toList()) {
      if (word.equals("$UNTIL_CLOSE")) {
        framing = Framing.UntilClose.INSTANCE;
        continue;
      }
      String line = WORDS.getOrDefault(word, word);
      int colon = line.indexOf(':');
      namesAndValues.add(line.substring(0, colon));
      namesAndValues.add(line.substring(colon + 1).strip());
    }
    FieldList headers = FieldList.of(namesAndValues.toArray(String[]::new));
    return new ResponseHead(status, "", headers, framing);
  }

  private static final class Shown implements Sharing.Cases<String> {
    @Override
    public String alone(Sharing.Alone alone) {
      return "alone " + alone.reason().code();
    }

    @Override
    public String together(Sharing.Together together) {
      return "together " + together.notKept().code();
    }

    @Override
    public String kept(Sharing.Kept kept) {
      Lifetime life = kept.lifetime();
      String times =
          life.initialAgeMillis()
              + "/"
              + life.freshMillis()
              + "/"
              + life.staleWhileRevalidateMillis()
              + "/"
              + life.staleIfErrorMillis();
      return "kept "
          + times
          + " "
          + rights(kept.rights())
          + (kept.aboard() ? "" : ", nobody aboard");
    }

    private static String rights(int rights) {
      return ((rights & Rights.PLAIN) != 0 ? "plain" : "")
          + ((rights & Rights.OVERRIDE) != 0 ? "+override" : "")
          + ((rights & Rights.COOKIES_ASSERTED) != 0 ? "+cookies" : "")
          + ((rights & Rights.HEURISTIC) != 0 ? "+heuristic" : "")
          + ((rights & Rights.EXPLICIT_STATUSES) != 0 ? "+statuses" : "");
    }
  }
}
