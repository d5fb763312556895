package dev.sluice.governor.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.time.FakeTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which upstreams are in use (ORG-08, ORG-09, ORG-16, DEC-36). */
class RotationTest {

  private final FakeTicker ticker = new FakeTicker();
  private final Upstreams upstreams = Fetching.of("a", "b", "c", "d").upstreams(ticker);

  @Test
  void unhealthyAndEjected_areOut() {
    state("a").healthy(false);
    state("b").eject(true);

    assertThat(inUse()).containsExactly("c:1", "d:1");
    assertThat(upstreams.rotation().configured()).isEqualTo(4);
  }

  @Test
  void org08_nobodyHealthy_usesAll() {
    upstreams.all().forEach(state -> state.healthy(false));

    assertThat(inUse()).containsExactly("a:1", "b:1", "c:1", "d:1");
  }

  @Test
  void org16_moreEjectedThanMayBe_ejectionIsIgnored() {
    state("a").eject(true);
    state("b").eject(true);
    assertThat(inUse()).containsExactly("c:1", "d:1");

    state("c").eject(true);
    assertThat(inUse()).containsExactly("a:1", "b:1", "c:1", "d:1");

    state("d").healthy(false);
    assertThat(inUse()).containsExactly("a:1", "b:1", "c:1");

    state("a").eject(false);
    assertThat(inUse()).containsExactly("a:1");
  }

  @Test
  void onlyHealthyOneEjected_isUsedAllTheSame() {
    state("b").healthy(false);
    state("c").healthy(false);
    state("d").healthy(false);
    state("a").eject(true);

    assertThat(inUse()).containsExactly("a:1");
  }

  @Test
  void org09_healthAndEjection_areToldApart() {
    state("a").eject(true);

    assertThat(state("a").isHealthy()).isTrue();
    assertThat(state("a").isEjected()).isTrue();
  }

  @Test
  void elsewhere_isNeverOneThatWasAsked() {
    List<UpstreamState> asked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      UpstreamState next = upstreams.rotation().choose(0, asked);
      assertThat(asked).doesNotContain(next);
      asked.add(Objects.requireNonNull(next));
    }

    assertThat(upstreams.rotation().choose(0, asked)).isNull();
  }

  @Test
  void dec37_fullConnections_areGoneRound() {
    var bounded = Fetching.of("a", "b").maxConnections(1).upstreams(ticker);
    UpstreamState first = bounded.all().get(0);
    assertThat(first.open(1)).isTrue();

    for (int i = 0; i < 4; i++) {
      assertThat(bounded.rotation().choose(0).label()).isEqualTo("b:1");
    }
    bounded.close();
  }

  @Test
  void dec36_reload_keepsTheStateOfThoseThatStay() {
    UpstreamState b = state("b");
    b.began();
    b.eject(true);
    UpstreamState a = state("a");

    upstreams.reload(Fetching.of("b", "e").settings());

    assertThat(upstreams.all()).extracting(UpstreamState::label).containsExactly("b:1", "e:1");
    assertThat(state("b")).isSameAs(b);
    assertThat(b.inFlight()).isOne();
    assertThat(b.isEjected()).isTrue();
    assertThat(a.isRemoved()).isTrue();
    assertThat(inUse()).containsExactly("e:1");
  }

  @Test
  void changes_areToldBehindThem() {
    List<List<String>> told = new ArrayList<>();
    upstreams.watch(() -> told.add(inUse()));

    state("a").healthy(false);
    state("a").healthy(false);
    state("a").healthy(true);

    assertThat(told)
        .containsExactly(List.of("b:1", "c:1", "d:1"), List.of("a:1", "b:1", "c:1", "d:1"));
  }

  private UpstreamState state(String host) {
    return Objects.requireNonNull(upstreams.find(host + ":1"));
  }

  private List<String> inUse() {
    return upstreams.rotation().labels();
  }
}
