package dev.sluice.governor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.governor.classify.SharePolicy.CachePolicy;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.Target;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of the judge at their edges: one step beyond, and each is another. */
class JudgeRulesTest {

  private static final long NOW = 1_800_000_000_000L;
  private static final SharePolicy STATUSES =
      Policies.policy(new CachePolicy(true, false, null, null, Duration.ZERO, true, false));
  private static final SharePolicy HEURISTIC =
      Policies.policy(new CachePolicy(true, false, null, null, Duration.ZERO, false, true));

  @Test
  void end_isDoneCutOrFailed_byWhetherTheHeadHadCome() {
    assertThat(Judge.ofEnd(Cause.COMPLETE, true)).isEqualTo(Verdict.Done.INSTANCE);
    assertThat(Judge.ofEnd(Cause.COMPLETE, false)).isEqualTo(Verdict.Done.INSTANCE);
    assertThat(Judge.ofEnd(Cause.CONNECTION_TERMINATED, true))
        .isEqualTo(new Verdict.Cut(Cause.CONNECTION_TERMINATED));
    assertThat(Judge.ofEnd(Cause.CONNECTION_TERMINATED, false))
        .isEqualTo(new Verdict.Fail(Cause.CONNECTION_TERMINATED));
  }

  @Test
  void ends_behindWhichTheOriginMayRenderOn() {
    assertThat(Arrays.stream(Cause.values()).filter(Judge::mayRenderOn))
        .containsExactlyInAnyOrder(
            Cause.ORIGIN_RESPONSE_TIMEOUT,
            Cause.ORIGIN_READ_TIMEOUT,
            Cause.CLOSED_ON_ABORT,
            Cause.FINISH_LIMIT);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,  /_next/static/chunks/a.js, 404, true",
    "GET,  /shop/_next/static/a.css,  404, true",
    "HEAD, /_next/static/chunks/a.js, 404, false",
    "GET,  /_next/static/chunks/a.js, 200, false",
    "GET,  /_next/image,              404, false"
  })
  void file_ofAnotherBuild(String method, String path, int status, boolean other) {
    var asked =
        new RequestHead(
            method,
            Target.ofOriginForm(path),
            "shop.example",
            1,
            FieldList.EMPTY,
            Framing.None.INSTANCE);
    assertThat(Judge.isOfAnotherBuild(asked, head(status))).isEqualTo(other);
  }

  @ParameterizedTest
  @CsvSource({
    "text/event-stream,                true",
    "Text/Event-Stream; charset=utf-8, true",
    "text/event,                       false",
    "text/html,                        false"
  })
  void streamOfEvents_isToldByItsType(String type, boolean streams) {
    assertThat(Judge.isEventStream(head(200, "Content-Type", type))).isEqualTo(streams);
    assertThat(Judge.isEventStream(head(200))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "200, false, false",
    "499, false, false",
    "500, true,  false",
    "501, true,  false",
    "502, true,  true",
    "504, true,  true",
    "505, true,  false"
  })
  void failure_isTheUpstreams_refusalServedNothing(int status, boolean failure, boolean refusal) {
    assertThat(Judge.isFailure(head(status))).isEqualTo(failure);
    assertThat(Judge.isRefusal(head(status))).isEqualTo(refusal);
  }

  @Test
  void rights_ofTheBytes_areWhatNoConfirmationGrants() {
    int bytes = Rights.COOKIES_ASSERTED | Rights.EXPLICIT_STATUSES;
    assertThat(Rights.ofBytes(Rights.OVERRIDE | Rights.HEURISTIC | bytes)).isEqualTo(bytes);
    assertThat(Rights.ofBytes(Rights.OVERRIDE | Rights.HEURISTIC)).isZero();
  }

  @Test
  void rights_inWords() {
    assertThat(Rights.words(Rights.PLAIN)).containsExactly("the origin's word");
    assertThat(Rights.words(Rights.PLAIN | Rights.OVERRIDE))
        .containsExactly("cache.override_origin");
    assertThat(Rights.words(Rights.COOKIES_ASSERTED | Rights.HEURISTIC | Rights.EXPLICIT_STATUSES))
        .containsExactly("cookies.assert_public", "cache.heuristic", "cache.statuses");
  }

  @ParameterizedTest
  @CsvSource({
    "199, false",
    "200, true",
    "206, false",
    "304, false",
    "305, true",
    "418, true",
    "599, true"
  })
  void statuses_thatAreFinalAndWhole(int status, boolean whole) {
    assertThat(Statuses.isFinalAndWhole(status)).isEqualTo(whole);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/HTML; charset=utf-8 | text/html",
        "text/html                | text/html",
        ";text/html               | *",
        "/html                    | *",
        ",text/html               | *",
        "text/html, text/plain    | *",
        "html                     | *",
      })
  void contentType_isOneTypeOrNone(String line, String type) {
    assertThat(ContentTypes.of(FieldList.of("Content-Type", line))).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource({
    "application/octet-stream, /a.css, true",
    "application/octet-stream, /a.js, false",
    "image/png, js, true",
    "image/png, /a.js, false",
    "image/png, /js.d/file, true"
  })
  void file_fitsItsExtension(String type, String path, boolean fits) {
    assertThat(ContentTypes.fitsFile(type, path)).isEqualTo(fits);
  }

  @Test
  void varyOfAnotherFieldThanCookie_isNoBarrierForARequestWithCookies() {
    assertThat(
            reason(Policies.WHOLE, Policies.PLAIN, "Vary", "Cookie", "Cache-Control", "max-age=9"))
        .isEqualTo(BypassReason.UNSUPPORTED_VARY);
    assertThat(
            reason(Policies.WHOLE, Policies.PLAIN, "Vary", "Accept", "Cache-Control", "max-age=9"))
        .isNull();
    assertThat(
            reason(Policies.PAGE, Policies.PLAIN, "Vary", "Cookie", "Cache-Control", "max-age=9"))
        .isNull();
  }

  @Test
  void oldNameOfGzip_isThatOfGzipOnly() {
    Asked brotli =
        new Asked(
            Policies.PAGE.effectiveClass(),
            Policies.PAGE.requestClass(),
            false,
            false,
            "/p",
            "br",
            false,
            false);
    String[] sent = {"Content-Encoding", "x-gzip", "Cache-Control", "max-age=9"};
    assertThat(reason(Policies.PAGE, Policies.PLAIN, sent)).isNull();
    assertThat(reason(brotli, Policies.PLAIN, sent)).isEqualTo(BypassReason.CODING);
  }

  @Test
  void unusualStatus_needsALifetimeAboveZero() {
    assertThat(reason(418, STATUSES, "Cache-Control", "max-age=1")).isNull();
    assertThat(reason(418, STATUSES, "Cache-Control", "max-age=0", "ETag", "\"a\""))
        .isEqualTo(BypassReason.STATUS);
  }

  @Test
  void answerStaleAlready_isKeptForErrorsOnlyWhereItMayServeThem() {
    assertThat(reason(200, Policies.PLAIN, "Cache-Control", "max-age=0, stale-if-error=60"))
        .isNull();
    assertThat(reason(200, Policies.PLAIN, "Cache-Control", "max-age=0, stale-if-error=0"))
        .isEqualTo(BypassReason.NO_FRESHNESS);
    assertThat(
            reason(
                200,
                Policies.PLAIN,
                "Cache-Control",
                "max-age=0, stale-if-error=60, must-revalidate"))
        .isEqualTo(BypassReason.NO_FRESHNESS);
  }

  @Test
  void heuristicOfNothing_isNoLifetime() {
    String date = "Sun, 06 Nov 2016 08:49:37 GMT";
    assertThat(reason(200, HEURISTIC, "Date", date, "Last-Modified", date))
        .isEqualTo(BypassReason.NO_FRESHNESS);
  }

  private static @Nullable BypassReason reason(int status, SharePolicy policy, String... fields) {
    return reason(Policies.PAGE, status, policy, fields);
  }

  private static @Nullable BypassReason reason(Asked asked, SharePolicy policy, String... fields) {
    return reason(asked, 200, policy, fields);
  }

  /** Why the answer is its asker's alone; null where it is not. */
  private static @Nullable BypassReason reason(
      Asked asked, int status, SharePolicy policy, String... fields) {
    Sharing sharing = Judge.share(asked, head(status, fields), policy, NOW);
    return sharing instanceof Sharing.Alone alone ? alone.reason() : null;
  }

  private static ResponseHead head(int status, String... fields) {
    return new ResponseHead(status, "", FieldList.of(fields), Framing.Chunked.INSTANCE);
  }
}
