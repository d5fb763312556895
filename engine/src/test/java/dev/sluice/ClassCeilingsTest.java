package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admin.EngineStatus;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.governor.fetch.UpstreamState;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The ceilings of files and streams follow the upstreams in use, as the renders' does (BEY-23,
 * DEC-33): whoever is left does not get the work of those that are gone.
 */
class ClassCeilingsTest {

  @RegisterExtension static final Running running = new Running();

  private final HeldOrigin first = origin();
  private final HeldOrigin second = origin();

  private static HeldOrigin origin() {
    return running.closing(HeldOrigin.start(asked -> HeldOrigin.ok("", "good")));
  }

  private Sluice proxy(String kind, String concurrency) {
    ProxyFile file =
        ProxyFile.plain()
            .origin("concurrency: { max: 16, static: 8, streaming: 8" + concurrency + " }")
            .block("routes: [ { id: all, match: \"/**\", class: " + kind + " } ]");
    return running.proxy(file, "127.0.0.1:" + first.port(), "127.0.0.1:" + second.port());
  }

  /** With and without ceilings of the upstreams' own: those are for renders. */
  @ParameterizedTest
  @CsvSource({"static,''", "static,', per_upstream: 8'", "streaming,''"})
  void bey23_oneOfTwoIsGone_theOtherKeepsItsShare(String kind, String concurrency) {
    Sluice proxy = proxy(kind, concurrency);
    second.hold();
    eject(proxy, true);

    List<RawClient> crowd = crowd(proxy, 20);
    awaitDecided(proxy, kind, 20);

    second.awaitRequests(4);
    second.release();
    List<Integer> statuses =
        Visitors.readAll(crowd).stream().map(RawResponse::status).sorted().toList();
    int waited = kind.equals("static") ? 4 : 0;
    assertThat(statuses.stream().filter(status -> status == 200)).hasSize(4 + waited);
    assertThat(statuses.stream().filter(status -> status == 503)).hasSize(16 - waited);
    assertThat(second.peak()).isEqualTo(4);
    assertThat(first.requests()).isZero();
  }

  /** With both in use each has as much, and the one that is back gets its own again. */
  @ParameterizedTest
  @CsvSource({"static", "streaming"})
  void bey23_bothInUse_haveAllOfIt(String kind) {
    Sluice proxy = proxy(kind, "");
    eject(proxy, true);
    assertThat(limit(proxy, kind)).isEqualTo(4);
    eject(proxy, false);
    assertThat(limit(proxy, kind)).isEqualTo(8);
    first.hold();
    second.hold();

    List<RawClient> crowd = crowd(proxy, 8);
    awaitDecided(proxy, kind, 8);
    first.awaitRequests(4);
    second.awaitRequests(4);

    first.release();
    second.release();
    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).containsOnly(200);
    assertThat(first.peak() + second.peak()).isEqualTo(8);
  }

  /** A reload while one is gone is a reload of what is in force then. */
  @Test
  void dec36_reloadWhileOneIsGone_isInProportion() {
    Sluice proxy = proxy("static", "");
    eject(proxy, true);

    Running.reload(
        proxy,
        ProxyFile.plain().origin("concurrency: { max: 16, static: 20, streaming: 3 }"),
        "127.0.0.1:" + first.port(),
        "127.0.0.1:" + second.port());

    assertThat(limit(proxy, "static")).isEqualTo(10);
    assertThat(limit(proxy, "streaming")).isEqualTo(1);
  }

  /** DEC-33: a weight is units of rendering; here requests are counted, however few may be. */
  @ParameterizedTest
  @CsvSource({"static", "streaming"})
  void dec33_weightOfARoute_countsForNothing(String kind) {
    Sluice proxy = alone(kind + ", weight: 16");
    first.hold();

    List<RawClient> crowd = crowd(proxy, 8);
    first.awaitRequests(8);
    first.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).containsOnly(200);
    assertThat(first.peak()).isEqualTo(8);
  }

  /**
   * ADM-02: a route's own ceiling holds within its class's, and so does its queue; without one it
   * is DEC-31's, min(2 x max, half of the class's), and of streams none waits.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "static    | max: 3                  | 4",
        "static    | max: 3, queue: {max: 1} | 1",
        "streaming | max: 3                  | 0",
        "streaming | max: 3, queue: {max: 9} | 0"
      })
  void adm02_routesOwnCeiling_holdsWithinItsClass(String kind, String own, int waiting) {
    Sluice proxy = alone(kind + ", concurrency: {" + own + "}");
    first.hold();

    List<RawClient> crowd = crowd(proxy, 20);
    awaitDecided(proxy, kind, 20);
    first.awaitRequests(3);
    first.release();

    List<RawResponse> answers = Visitors.readAll(crowd);
    assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(3 + waiting);
    assertThat(answers.stream().filter(answer -> answer.status() == 503)).hasSize(17 - waiting);
    assertThat(first.peak()).isEqualTo(3);
  }

  /** What class static takes from under a route of another class has the class's ceiling alone. */
  @Test
  void dec33_assetsUnderAPrivateRoute_haveNoCeilingOfIts() {
    Sluice proxy = alone("private_dynamic, concurrency: { max: 1, queue: { max: 1 } }");
    first.hold();

    List<RawClient> crowd =
        IntStream.range(0, 8)
            .mapToObj(i -> running.client(proxy).get("/_next/static/" + i + ".js"))
            .toList();
    first.awaitRequests(8);
    first.release();

    assertThat(Visitors.readAll(crowd)).extracting(RawResponse::status).containsOnly(200);
  }

  /** One upstream, eight of each class, and one route for all. */
  private Sluice alone(String route) {
    ProxyFile file =
        ProxyFile.plain()
            .origin("concurrency: { max: 16, static: 8, streaming: 8 }")
            .block("routes: [ { id: all, match: \"/**\", class: " + route + " } ]");
    return running.proxy(first.port(), file);
  }

  /** WebSockets are open connections and no work: their ceiling stays. */
  @Test
  void prx16_upgrades_keepTheirCeiling() {
    Sluice proxy = proxy("static", "");
    int before = limit(proxy, "upgrade");

    eject(proxy, true);

    assertThat(limit(proxy, "upgrade")).isEqualTo(before);
  }

  private static void eject(Sluice proxy, boolean out) {
    UpstreamState gone = proxy.upstreams().all().get(0);
    gone.eject(out);
  }

  private static List<RawClient> crowd(Sluice proxy, int visitors) {
    // What is the same for all would be one flight.
    return IntStream.range(0, visitors)
        .mapToObj(visitor -> running.client(proxy).get("/page" + visitor))
        .toList();
  }

  /** Returns once each of {@code requests} was let in, waits, or was told no. */
  private static void awaitDecided(Sluice proxy, String kind, int requests) {
    Running.await(
        requests + " decisions",
        () -> {
          EngineStatus.Admission admission = admission(proxy, kind);
          long shed = admission.sheds().values().stream().mapToLong(Long::longValue).sum();
          return admission.grants() + admission.global().waiting() + shed == requests;
        });
  }

  private static int limit(Sluice proxy, String kind) {
    return admission(proxy, kind).global().limit();
  }

  private static EngineStatus.Admission admission(Sluice proxy, String kind) {
    return Objects.requireNonNull(proxy.status().admissions().get(kind));
  }
}
