package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.FreePorts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A build's file that one upstream does not have is asked of one other (N10), as origins count. */
class BuildFileRetryTest extends Retrying {

  /** N10: half the pool has another build; a file that one half does not have the other has. */
  @ParameterizedTest
  @ValueSource(strings = {"private_dynamic", "static"})
  void n10_missingFileOfABuild_isAskedOfOneOtherUpstream(String kind) {
    HeldOrigin old = failing(99, refusal(404, "Cache-Control: public, max-age=31536000"));
    HeldOrigin fresh = good();
    ProxyFile file = file(ON).block("routes: [ { id: all, match: \"/**\", class: " + kind + " } ]");
    Sluice proxy = before(file, old.port(), fresh.port());

    for (int i = 0; i < 4; i++) {
      RawResponse answer =
          running.client(proxy).get("/_next/static/chunks/b" + i + ".js").readAll();
      assertThat(answer.text()).isEqualTo("good");
    }
    assertThat(old.requests()).isEqualTo(2);
    assertThat(fresh.requests()).isEqualTo(4);
  }

  /** And of no more than one, within the budget, and of nothing else than such files. */
  @Test
  void n10_missingEverywhere_isA404BehindTwoAttempts() {
    String missing = refusal(404, "");
    List<HeldOrigin> origins =
        List.of(failing(99, missing), failing(99, missing), failing(99, missing));
    int[] ports = origins.stream().mapToInt(HeldOrigin::port).toArray();
    Sluice proxy = before(file("retry: { enabled: true, max_attempts: 4 }"), ports);

    RawResponse answer = running.client(proxy).get("/_next/static/chunks/b1.js").readAll();
    assertThat(answer.status()).isEqualTo(404);
    assertThat(origins.stream().mapToInt(HeldOrigin::requests).sum()).isEqualTo(2);

    assertThat(get(proxy).status()).isEqualTo(404);
    assertThat(origins.stream().mapToInt(HeldOrigin::requests).sum()).isEqualTo(3);
  }

  /** N10: where the other one fails, the first one's answer stands, to its last byte. */
  @ParameterizedTest
  @ValueSource(strings = {"refused", "500", "503", "closed", "malformed", "late"})
  void n10_theOtherOneFails_theFirstOnesAnswerStands(String failure) {
    String page = "n".repeat(300_000);
    HeldOrigin old = origin(asked -> HeldOrigin.answer("404 Not Found", "X-Build: old", page));
    HeldOrigin bad =
        origin(
            asked ->
                switch (failure) {
                  case "closed" -> "";
                  case "malformed" -> "HTTP/1.1 2oo OK\r\n\r\n";
                  default -> refusal(failure.equals("500") ? 500 : 503, "");
                });
    if (failure.equals("late")) {
      bad.hold();
    }
    Sluice proxy =
        before(
            file(ON).block("timeouts: { origin_response: 300ms }"),
            old.port(),
            failure.equals("refused") ? FreePorts.next() : bad.port());

    RawResponse answer = running.client(proxy).get("/_next/static/chunks/b.js").readAll();

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("X-Build")).isEqualTo("old");
    assertThat(answer.header("Proxy-Status")).isEqualTo("sluice; attempts=2");
    assertThat(answer.text()).isEqualTo(page);
    assertThat(old.requests()).isOne();
    assertThat(bad.requests()).isEqualTo(failure.equals("refused") ? 0 : 1);
    assertThat(metrics(proxy))
        .contains("sluice_origin_retries_total{outcome=\"failed\"} 1.0")
        .contains("sluice_origin_retries_total{outcome=\"succeeded\"} 0.0");
    Running.await("nothing in flight", () -> proxy.ceilings().inFlight() == 0);
  }

  /** And its connection serves on, whether the answer was wanted in the end or not. */
  @ParameterizedTest
  @ValueSource(ints = {200, 503})
  void n10_answerThatWasKept_leavesItsConnectionUsable(int other) {
    HeldOrigin old = failing(99, refusal(404, ""));
    HeldOrigin second = origin(asked -> refusal(other, ""));
    Sluice proxy = before(file(ON), old.port(), second.port());
    for (int i = 0; i < 6; i++) {
      assertThat(running.client(proxy).get("/_next/static/b" + i + ".js").readAll().status())
          .isEqualTo(other == 200 ? 200 : 404);
    }

    assertThat(new Operator(running, proxy).status().at("/upstreams/0/connections").asInt())
        .isOne();
    assertThat(new Operator(running, proxy).status().at("/upstreams/0/in_flight").asInt()).isZero();
  }

  /** A client that leaves meanwhile leaves both. */
  @Test
  void n10_clientLeavesMeanwhile_nothingStays() {
    HeldOrigin old = failing(99, refusal(404, ""));
    HeldOrigin second = good().hold();
    Sluice proxy =
        before(file(ON, "on_client_abort: close", "abandon_hold: 0s"), old.port(), second.port());
    RawClient client = running.client(proxy).get("/_next/static/b.js");
    second.awaitRequests(1);

    client.reset();

    Running.await("nothing in flight", () -> proxy.ceilings().inFlight() == 0);
    var upstreams = new Operator(running, proxy).status().get("upstreams");
    assertThat(upstreams.get(0).get("in_flight").asInt()).isZero();
    assertThat(upstreams.get(1).get("in_flight").asInt()).isZero();
  }

  /** N10: nobody is asked twice for what it does not have, and that costs no retry. */
  @Test
  void n10_nobodyElseIsInUse_isA404BehindOneAttempt() {
    HeldOrigin old =
        origin(
            asked ->
                switch (asked.number()) {
                  case 0, 1, 2 -> refusal(404, "");
                  case 3 -> refusal(503, "");
                  default -> HeldOrigin.ok("", "good");
                });
    Sluice proxy =
        before(
            file("retry: { enabled: true, budget_min: 1, budget_percent: 1 }"),
            old.port(),
            FreePorts.next());
    proxy.upstreams().all().get(1).eject(true);

    for (int i = 0; i < 3; i++) {
      assertThat(running.client(proxy).get("/_next/static/b.js").readAll().status()).isEqualTo(404);
    }
    assertThat(old.requests()).isEqualTo(3);

    assertThat(get(proxy).text()).isEqualTo("good");
    assertThat(old.requests()).isEqualTo(5);
  }
}
