package dev.sluice.governor.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.governor.classify.Audience;
import dev.sluice.http.FieldName;
import dev.sluice.http.StatusPhrase;
import dev.sluice.outcome.Cause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SyntheticRepliesTest {

  private static final DeliverSettings DEFAULTS = settings(503, true, false);

  private final SyntheticReplies replies = replies(DEFAULTS);

  private static DeliverSettings settings(int status, boolean busyPage, boolean debug) {
    return new DeliverSettings(
        status, Duration.ofSeconds(2), busyPage, null, Duration.ofSeconds(3), debug);
  }

  private static SyntheticReplies replies(DeliverSettings settings) {
    return new SyntheticReplies(settings, BusyPage.builtIn(), new SplittableRandom(7));
  }

  private static String text(SyntheticReply reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  private static String field(SyntheticReply reply, String name) {
    for (int i = 0; i < reply.fields().size(); i++) {
      if (reply.fields().name(i).equals(name)) {
        return reply.fields().value(i);
      }
    }
    return "";
  }

  private static List<Cause> answered() {
    return Arrays.stream(Cause.values()).filter(cause -> cause.status() != 0).toList();
  }

  private static Stream<Cause> shed() {
    return answered().stream().filter(Cause::isShed);
  }

  @ParameterizedTest
  @MethodSource("shed")
  void forCause_ADM09_shed_isTheConfiguredStatusWithRetryAfter(Cause cause) {
    SyntheticReply reply = replies.forCause(cause, Audience.PLAIN, false, 0);
    assertThat(reply.status()).isEqualTo(503);
    assertThat(Integer.parseInt(field(reply, "Retry-After"))).isBetween(2, 4);
    SyntheticReply other =
        replies(settings(429, true, false)).forCause(cause, Audience.PLAIN, false, 0);
    assertThat(other.status()).isEqualTo(429);
    assertThat(text(other)).startsWith("429 Too Many Requests\n");
    assertThat(field(other, "Retry-After")).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "BAD_REQUEST,             400, false",
    "METHOD_NOT_ALLOWED,      405, false",
    "CLIENT_HEADER_TIMEOUT,   408, false",
    "URI_TOO_LONG,            414, false",
    "MISDIRECTED,             421, false",
    "HEADER_TOO_LARGE,        431, false",
    "INTERNAL_ERROR,          500, false",
    "UPGRADE_OFF,             501, false",
    "CONNECTION_REFUSED,      502, false",
    "CONNECTION_LIMIT_REACHED, 503, true",
    "SHUTDOWN,                503, true",
    "ORIGIN_RESPONSE_TIMEOUT, 504, false",
    "LOOP,                    508, false",
  })
  void forCause_otherCause_hasItsOwnStatus(Cause cause, int status, boolean retry) {
    SyntheticReply reply =
        replies(settings(429, true, false)).forCause(cause, Audience.NAVIGATION, false, 0);
    assertThat(reply.status()).isEqualTo(status);
    assertThat(field(reply, "Retry-After").isEmpty()).isEqualTo(!retry);
    assertThat(field(reply, "Refresh")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"CLIENT_LEFT", "COMPLETE", "FINISH_LIMIT"})
  void forCause_causeWithoutAnswer_isABug(Cause cause) {
    assertThatThrownBy(() -> replies.forCause(cause, Audience.PLAIN, false, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cause: " + cause + " (expected: one with a status)");
  }

  @Test
  void forCause_ADM11_shedNavigation_getsTheBusyPageThatRefreshesItself() {
    SyntheticReply reply = replies.forCause(Cause.QUEUE_FULL, Audience.NAVIGATION, false, 0);
    String refresh = field(reply, "Refresh");
    assertThat(reply.status()).isEqualTo(503);
    assertThat(field(reply, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(Integer.parseInt(refresh)).isBetween(3, 6);
    assertThat(text(reply))
        .contains("<meta http-equiv=\"refresh\" content=\"" + refresh + "\">")
        .doesNotContain("{{");
    assertThat(field(reply, "Content-Security-Policy")).startsWith("default-src 'none'");
  }

  @Test
  void forCause_ADM11_operatorsPage_isSentWithRefreshAndWithoutOurPolicy() {
    var own =
        new SyntheticReplies(
            DEFAULTS, BusyPage.of("<p>Grüezi, {{refresh}}</p>"), new SplittableRandom(1));
    SyntheticReply reply = own.forCause(Cause.PREDICTED, Audience.NAVIGATION, false, 0);
    String refresh = field(reply, "Refresh");
    assertThat(text(reply)).isEqualTo("<p>Grüezi, " + refresh + "</p>");
    assertThat(field(reply, "Content-Security-Policy")).isEmpty();
    assertThat(field(reply, "Content-Length")).isEqualTo("" + reply.body().length);
  }

  @Test
  void forCause_busyPageOff_isAShortPage() {
    SyntheticReply reply =
        replies(settings(503, false, false))
            .forCause(Cause.QUEUE_FULL, Audience.NAVIGATION, false, 0);
    assertThat(field(reply, "Refresh")).isEmpty();
    assertThat(text(reply)).contains("<h1>Service Unavailable</h1>", "The wait queue is full.");
    assertThat(field(reply, "Retry-After")).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = "NAVIGATION", mode = EnumSource.Mode.EXCLUDE)
  void forCause_ADM13_ADM14_nobodyElseGetsHtml(Audience audience) {
    for (Cause cause : answered()) {
      SyntheticReply reply = replies.forCause(cause, audience, false, 0);
      assertThat(text(reply)).doesNotContain("<");
      assertThat(field(reply, "Content-Type")).doesNotContain("html");
      assertThat(field(reply, "Refresh")).isEmpty();
    }
  }

  @Test
  void forCause_jsonAudience_isProblemJson() throws IOException {
    for (Cause cause : answered()) {
      SyntheticReply reply = replies.forCause(cause, Audience.JSON, false, 0);
      assertThat(field(reply, "Content-Type")).isEqualTo("application/problem+json");
      JsonNode problem = new ObjectMapper().readTree(reply.body());
      assertThat(problem.path("type").asText()).isEqualTo("about:blank");
      assertThat(problem.path("status").asInt()).isEqualTo(reply.status());
      assertThat(problem.path("title").asText()).isEqualTo(StatusPhrase.of(reply.status()));
      assertThat(problem.path("detail").asText()).isEqualTo(cause.sentence());
      assertThat(problem.path("cause").asText()).isEqualTo(cause.code());
    }
  }

  @Test
  void forCause_DEC16_shedPrefetch_isAnEmpty204() {
    SyntheticReply reply = replies.forCause(Cause.QUEUE_FULL, Audience.PREFETCH, false, 0);
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.body()).isEmpty();
    // RFC 9110 8.6: never in a 204.
    assertThat(reply.fields().has(FieldName.CONTENT_LENGTH)).isFalse();
    assertThat(field(reply, "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void forCause_prefetchThatFailsOtherwise_isToldSo() {
    SyntheticReply reply = replies.forCause(Cause.CONNECTION_REFUSED, Audience.PREFETCH, false, 0);
    assertThat(reply.status()).isEqualTo(502);
    assertThat(text(reply)).isEqualTo("502 Bad Gateway\nThe origin refused.\n");
  }

  @Test
  void forCause_DEC46_everyAnswer_isUnstoredMeasuredAndSmall() {
    for (Cause cause : answered()) {
      for (Audience audience : Audience.values()) {
        SyntheticReply reply = replies.forCause(cause, audience, false, 0);
        assertThat(field(reply, "Cache-Control")).isEqualTo("no-store");
        if (reply.status() != 204) {
          assertThat(field(reply, "Content-Length")).isEqualTo("" + reply.body().length);
        }
        boolean busy = !field(reply, "Refresh").isEmpty();
        assertThat(reply.body().length).isLessThanOrEqualTo(busy ? 4096 : ErrorBody.MAX);
      }
    }
  }

  @Test
  void forCause_DEC46_head_hasTheFieldsWithoutTheBody() {
    for (Audience audience : List.of(Audience.NAVIGATION, Audience.JSON, Audience.PLAIN)) {
      SyntheticReply reply = replies.forCause(Cause.CONNECTION_REFUSED, audience, true, 0);
      SyntheticReply get = replies.forCause(Cause.CONNECTION_REFUSED, audience, false, 0);
      assertThat(reply.body()).isEmpty();
      assertThat(field(reply, "Content-Length")).isEqualTo("" + get.body().length);
    }
  }

  @Test
  void forCause_methodNotAllowed_listsTheMethods() {
    // RFC 9110 15.5.6
    SyntheticReply reply = replies.forCause(Cause.METHOD_NOT_ALLOWED, Audience.PLAIN, false, 0);
    assertThat(field(reply, "Allow")).contains("GET").doesNotContain("TRACE");
  }

  @Test
  void forCause_PRX34_debugFields_onlyWhereAskedFor() {
    SyntheticReply quiet = replies.forCause(Cause.QUEUE_FULL, Audience.PLAIN, false, 0);
    assertThat(quiet.fields().has(FieldName.X_SLUICE)).isFalse();
    assertThat(quiet.fields().has(FieldName.PROXY_STATUS)).isFalse();

    SyntheticReplies debug = replies(settings(503, true, true));
    SyntheticReply shed = debug.forCause(Cause.QUEUE_FULL, Audience.PREFETCH, false, 0);
    assertThat(field(shed, "X-Sluice")).isEqualTo("SHED");
    assertThat(field(shed, "Proxy-Status"))
        .isEqualTo("sluice; error=http_request_denied; details=\"queue_full\"");
    SyntheticReply failed = debug.forCause(Cause.ORIGIN_RESPONSE_TIMEOUT, Audience.PLAIN, false, 0);
    assertThat(field(failed, "X-Sluice")).isEqualTo("ERROR");
    assertThat(field(failed, "Proxy-Status"))
        .isEqualTo("sluice; error=http_response_timeout; details=\"origin_response_timeout\"");
  }

  @Test
  void forOptions_asterisk_isNoContent() {
    SyntheticReply reply = replies.forOptions();
    assertThat(reply.status()).isEqualTo(204);
    assertThat(field(reply, "Allow")).contains("OPTIONS");
    assertThat(reply.body()).isEmpty();
  }
}
