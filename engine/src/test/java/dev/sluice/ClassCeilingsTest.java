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

  /** DEC-30: what one request of a route costs is never out of reach. */
  @ParameterizedTest
  @CsvSource({"static", "streaming"})
  void dec30_shareBelowARoutesWeight_stillServesOne(String kind) {
    ProxyFile file =
        ProxyFile.plain()
            .origin("concurrency: { max: 16, static: 8, streaming: 8 }")
            .block("routes: [ { id: all, match: \"/**\", class: " + kind + ", weight: 6 } ]");
    Sluice proxy = running.proxy(file, "127.0.0.1:" + first.port(), "127.0.0.1:" + second.port());

    eject(proxy, true);

    assertThat(limit(proxy, kind)).isEqualTo(6);
    assertThat(running.client(proxy).get("/x").readAll().text()).isEqualTo("good");
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
