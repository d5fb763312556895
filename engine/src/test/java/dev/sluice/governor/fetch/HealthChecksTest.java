package dev.sluice.governor.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flow.Body;
import dev.sluice.governor.fetch.FetchSettings.HealthSettings;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.RequestOut;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Probes under virtual time (ORG-06 to ORG-08, A06). */
class HealthChecksTest {

  private static final HealthSettings EVERY_SECOND =
      new HealthSettings("/healthz", Duration.ofSeconds(1), Duration.ofMillis(500), 3, 2);

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final FakeOrigin origin = new FakeOrigin();
  private final Upstreams upstreams = Fetching.of("a").upstreams(ticker);
  private final UpstreamState a = upstreams.all().get(0);
  private final HealthChecks checks =
      new HealthChecks(loop, ticker, origin, RandomGenerator.of("L64X128MixRandom"));

  @AfterEach
  void close() {
    upstreams.close();
  }

  @Test
  void org07_withoutSettings_nobodyIsAsked() {
    checks.follow(upstreams.all(), null);
    loop.advance(Duration.ofMinutes(1).toNanos());

    assertThat(origin.connects).isZero();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void org06_status500_isUnhealthyAfterThree_andBackAfterTwo() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    origin.status = 500;
    probes(2);
    assertThat(a.isHealthy()).isTrue();
    assertThat(a.failedProbes()).isEqualTo(2);

    probes(1);
    assertThat(a.isHealthy()).isFalse();
    assertThat(a.lastProbe()).isEqualTo("status_500");

    origin.status = 204;
    probes(1);
    assertThat(a.isHealthy()).isFalse();
    probes(1);
    assertThat(a.isHealthy()).isTrue();
    assertThat(a.lastProbe()).isEqualTo("passed");
  }

  @Test
  void org06_successBetween_startsTheCountAgain() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    origin.status = 500;
    probes(2);
    origin.status = 302;
    probes(1);
    origin.status = 404;
    probes(2);

    assertThat(a.isHealthy()).isTrue();
  }

  @Test
  void refused_isAFailure() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    origin.refuses = true;
    probes(3);

    assertThat(a.isHealthy()).isFalse();
    assertThat(a.lastProbe()).isEqualTo(Cause.CONNECTION_REFUSED.code());
  }

  @Test
  void silentOne_isATimeoutAndItsConnectionIsClosed() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    origin.silent = true;
    probes(4);

    assertThat(a.isHealthy()).isFalse();
    assertThat(a.lastProbe()).isEqualTo("timeout");
    assertThat(origin.open).isLessThanOrEqualTo(1);
  }

  /** A06: a busy origin is not a dead one. */
  @Test
  void a06_silentOneThatAnswersFlights_staysHealthy() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    origin.silent = true;
    for (int i = 0; i < 100; i++) {
      loop.advance(Duration.ofMillis(200).toNanos());
      a.answered(ticker.nanos() - 1, ticker.nanos());
    }

    assertThat(origin.connects).isGreaterThan(15);
    assertThat(a.isHealthy()).isTrue();
    assertThat(a.lastProbe()).isEqualTo("timeout");
  }

  @Test
  void everyProbe_hasAConnectionOfItsOwn_closedAtTheHead() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    probes(5);

    assertThat(origin.connects).isEqualTo(5);
    assertThat(origin.open).isZero();
    assertThat(origin.asked).allMatch(head -> head.equals("GET /healthz a:1"));
  }

  @Test
  void sectionThatGoes_endsProbesAndHeals() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    origin.status = 500;
    probes(3);
    assertThat(a.isHealthy()).isFalse();

    checks.follow(upstreams.all(), null);

    assertThat(a.isHealthy()).isTrue();
    assertThat(a.lastProbe()).isNull();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void reloadOfTheSame_goesOnCounting() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    origin.status = 500;
    probes(2);
    checks.follow(upstreams.all(), EVERY_SECOND);
    probes(1);

    assertThat(a.isHealthy()).isFalse();
  }

  @Test
  void upstreamThatGoes_isAskedNoMore() {
    checks.follow(upstreams.all(), EVERY_SECOND);
    probes(1);

    checks.follow(List.of(), EVERY_SECOND);
    loop.advance(Duration.ofMinutes(1).toNanos());

    assertThat(origin.connects).isEqualTo(1);
  }

  /** The first probes of many upstreams do not fall on one moment. */
  @Test
  void firstProbes_areSpreadOverTheInterval() {
    String[] hosts = new String[50];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = "h" + i;
    }
    Upstreams many = Fetching.of(hosts).upstreams(ticker);
    checks.follow(many.all(), EVERY_SECOND);

    loop.advance(Duration.ofMillis(500).toNanos());

    assertThat(origin.connects).isBetween(10, 40);
    many.close();
  }

  /** Lets so many more be asked and end. */
  private void probes(int count) {
    int goal = origin.connects + count;
    while (origin.connects < goal) {
      loop.advance(Duration.ofMillis(10).toNanos());
    }
    if (origin.silent) {
      loop.advance(Duration.ofMillis(500).toNanos());
    }
  }

  /** An origin that answers, refuses or keeps silent. */
  private static final class FakeOrigin implements OriginConnector {
    private final List<String> asked = new ArrayList<>();
    private int status = 200;
    private boolean refuses;
    private boolean silent;
    private int connects;
    private int open;

    @Override
    public void connect(InetSocketAddress address, OriginOwner owner, Connected connected) {
      connects++;
      if (refuses) {
        connected.failed(Cause.CONNECTION_REFUSED);
      } else {
        open++;
        connected.ready(new Connection(address));
      }
    }

    private final class Connection implements OriginStream {
      private final InetSocketAddress address;

      Connection(InetSocketAddress address) {
        this.address = address;
      }

      @Override
      public void send(RequestOut request, @Nullable Body body, OriginEvents events) {
        var head = request.head();
        asked.add(head.method() + " " + head.target().raw() + " " + head.authority());
        if (!silent) {
          Body answer = new Body(() -> {}, 1, null);
          events.head(new ResponseHead(status, "", FieldList.EMPTY, Framing.None.INSTANCE), answer);
        }
      }

      @Override
      public void cancel() {
        open--;
      }

      @Override
      public boolean isReused() {
        return false;
      }

      @Override
      public boolean isUntouched() {
        return false;
      }

      @Override
      public boolean isSilent() {
        return false;
      }

      @Override
      public InetSocketAddress address() {
        return address;
      }

      @Override
      public long idleSinceNanos() {
        return 0;
      }
    }
  }
}
