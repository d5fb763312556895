package dev.sluice.governor.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flow.Body;
import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.fetch.attempts.Breaker;
import dev.sluice.governor.fetch.attempts.BreakerSettings;
import dev.sluice.governor.fetch.attempts.RetryBudget;
import dev.sluice.governor.fetch.attempts.RetrySettings;
import dev.sluice.governor.fetch.attempts.Sign;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.Target;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeLoop;
import dev.sluice.time.FakeTicker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.RequestOut;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A flight's attempts in virtual time (DEC-29, DEC-45, A03): no socket, no other thread. */
class FetchTest {

  private static final RequestHead GET =
      new RequestHead(
          "GET",
          Target.ofOriginForm("/"),
          "shop.example",
          1,
          FieldList.of("Host", "shop.example"),
          Framing.None.INSTANCE);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final FakeTicker ticker = new FakeTicker();
  private final FakeLoop loop = new FakeLoop(ticker);
  private final Upstreams upstreams = Fetching.of("127.0.0.1", "127.0.0.2").upstreams(ticker);
  private final UpstreamState first = upstreams.all().get(0);
  private final UpstreamState second = upstreams.all().get(1);
  private final List<Connection> asked = new ArrayList<>();
  private final RetryBudget budget = new RetryBudget();
  private final Where where = new Where();
  private final Told told = new Told();
  private final OriginPool pool =
      new OriginPool(
          loop,
          ticker,
          (address, owner, connected) -> asked.add(new Connection(address, connected)),
          upstreams,
          () -> Fetching.of("127.0.0.1", "127.0.0.2").settings(),
          () -> {
            throw new AssertionError("nobody waits for a connection");
          },
          new CopyOnWriteArrayList<>());
  private final Fetch fetch;

  FetchTest() {
    var retry = new RetrySettings(true, 3, Duration.ofSeconds(10), 10, 3);
    budget.enforce(retry, ticker.nanos());
    fetch =
        new Fetch(
            new Fetch.Means(pool, budget, retry, () -> 0),
            where,
            new Asking(
                new RequestOut(GET, 0, List.of(), NameSet.EMPTY, new byte[0]),
                null,
                RequestClass.OTHER,
                "192.0.2.1"),
            told);
  }

  @AfterEach
  void close() {
    upstreams.close();
  }

  /** A connection that was asked for, and what a test lets come of it. */
  private static final class Connection implements OriginStream {
    private final InetSocketAddress address;
    private final OriginConnector.Connected connected;
    private @Nullable OriginEvents events;
    private boolean cancelled;

    Connection(InetSocketAddress address, OriginConnector.Connected connected) {
      this.address = address;
      this.connected = connected;
    }

    OriginEvents ready() {
      connected.ready(this);
      return Objects.requireNonNull(events);
    }

    void refused() {
      connected.failed(Cause.CONNECTION_REFUSED);
    }

    @Override
    public void send(RequestOut request, @Nullable Body body, OriginEvents listener) {
      events = listener;
    }

    @Override
    public void cancel() {
      cancelled = true;
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
      return true;
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

  /** First the one upstream; elsewhere as the test says, now or later. */
  private final class Where implements Destination {
    private @Nullable UpstreamState next = second;
    private boolean later;
    private boolean crowded;
    private @Nullable Elsewhere taker;

    @Override
    public boolean isCrowded() {
      return crowded;
    }

    @Override
    public UpstreamState first() {
      return first;
    }

    @Override
    public void elsewhere(Elsewhere asking) {
      taker = asking;
      if (!later) {
        answer();
      }
    }

    void answer() {
      Elsewhere asking = Objects.requireNonNull(taker);
      if (next == null) {
        asking.nowhere();
      } else {
        asking.to(next);
      }
    }
  }

  /** A flight that always wants another attempt. */
  private final class Told implements OriginEvents {
    private final List<String> words = new ArrayList<>();

    @Override
    public void interim(ResponseHead head) {
      words.add("interim");
    }

    @Override
    public void head(ResponseHead head, Body body) {
      words.add("head " + head.status());
      if (head.status() == 503) {
        words.add(fetch.again(Cause.CONNECTION_TERMINATED, body).name());
      }
    }

    @Override
    public void ended(Cause cause) {
      words.add(cause.name());
      if (cause != Cause.COMPLETE) {
        words.add(fetch.again(cause, null).name());
      }
    }
  }

  private static ResponseHead head(int status) {
    return new ResponseHead(status, "", FieldList.EMPTY, Framing.None.INSTANCE);
  }

  private static Body body() {
    return new Body(() -> {}, 1, null);
  }

  private void pass(Duration time) {
    loop.advance(time.toNanos());
  }

  @Test
  void refused_isAskedElsewhere_atOnce() {
    fetch.start();
    asked.get(0).refused();

    assertThat(told.words).containsExactly("CONNECTION_REFUSED", "SCHEDULED");
    assertThat(asked).hasSize(1);
    pass(Duration.ZERO);

    assertThat(asked).hasSize(2);
    assertThat(fetch.upstreamLabel()).isEqualTo(second.label());
    assertThat(fetch.attempts()).isEqualTo(2);
    assertThat(first.inFlight()).isZero();
    assertThat(second.inFlight()).isOne();
  }

  /** DEC-29: at most 100 ms; and the attempt counts from its begin, not from its back-off. */
  @Test
  void nowhereElse_isAskedHereAgain_afterABackOff() {
    where.next = null;
    fetch.start();
    asked.get(0).refused();
    pass(Duration.ofMillis(24));
    assertThat(asked).hasSize(1);
    assertThat(fetch.isBetweenAttempts()).isTrue();
    assertThat(first.inFlight()).isZero();

    pass(Duration.ofMillis(76));

    assertThat(asked).hasSize(2);
    assertThat(fetch.isBetweenAttempts()).isFalse();
    assertThat(first.inFlight()).isOne();
  }

  @Test
  void attempts_areBounded() {
    fetch.start();
    for (int i = 0; i < 3; i++) {
      asked.get(i).refused();
      pass(Duration.ofMillis(100));
    }

    assertThat(asked).hasSize(3);
    assertThat(told.words).endsWith("CONNECTION_REFUSED", "REFUSED");
  }

  /** A03: none where others are turned away, and it costs the budget nothing. */
  @Test
  void crowded_isNotAskedAgain() {
    where.crowded = true;
    fetch.start();
    asked.get(0).refused();
    pass(Duration.ofSeconds(1));

    assertThat(told.words).containsExactly("CONNECTION_REFUSED", "CROWDED");
    assertThat(asked).hasSize(1);
    for (int i = 0; i < 3; i++) {
      assertThat(budget.take(ticker.nanos())).isTrue();
    }
  }

  /** A03: none where nobody waits for it. */
  @Test
  void cancelled_inItsBackOff_asksNobody() {
    where.next = null;
    fetch.start();
    asked.get(0).refused();

    fetch.cancel();
    pass(Duration.ofSeconds(1));

    assertThat(asked).hasSize(1);
    assertThat(fetch.isBetweenAttempts()).isTrue();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void cancelled_whileItIsChosenWhere_asksNobody() {
    where.later = true;
    fetch.start();
    asked.get(0).refused();

    fetch.cancel();
    where.answer();
    pass(Duration.ofSeconds(1));

    assertThat(asked).hasSize(1);
  }

  /** The answer that is not wanted is left when the next attempt begins, if it has not ended. */
  @Test
  void unwantedAnswer_isLeft_oneAttemptAtATime() {
    fetch.start();
    OriginEvents events = asked.get(0).ready();
    events.head(head(503), body());
    assertThat(asked.get(0).cancelled).isFalse();

    pass(Duration.ZERO);

    assertThat(asked.get(0).cancelled).isTrue();
    assertThat(asked).hasSize(2);
    assertThat(told.words).containsExactly("head 503", "SCHEDULED");
    assertThat(first.inFlight()).isZero();
  }

  @Test
  void unwantedAnswer_thatEnds_isNoNews() {
    where.next = null;
    fetch.start();
    OriginEvents events = asked.get(0).ready();
    events.head(head(503), body());
    events.ended(Cause.COMPLETE);
    pass(Duration.ofMillis(100));

    asked.get(1).ready().head(head(200), body());

    assertThat(told.words).containsExactly("head 503", "SCHEDULED", "head 200");
  }

  // With the breaker.

  private void breaker() {
    for (UpstreamState upstream : upstreams.all()) {
      upstream
          .breaker()
          .enforce(
              new BreakerSettings(true, Duration.ofSeconds(10), 1, 50, Duration.ofSeconds(30)),
              ticker.nanos());
    }
  }

  /** A03: none at an upstream whose breaker is open. */
  @Test
  void nowhereElse_butTheBreakerHasOpened_isTheEnd() {
    breaker();
    where.next = null;
    fetch.start();

    asked.get(0).refused();

    assertThat(first.isEjected()).isTrue();
    assertThat(told.words).containsExactly("CONNECTION_REFUSED", "REFUSED");
  }

  /** The same where admission has to be asked: the flight hears of the end later, and once more. */
  @Test
  void nowhereElse_toldLater_isAnEndOfItsOwn() {
    breaker();
    where.next = null;
    where.later = true;
    fetch.start();
    asked.get(0).refused();
    assertThat(told.words).containsExactly("CONNECTION_REFUSED", "SCHEDULED");

    where.answer();

    assertThat(told.words.subList(2, 4)).containsExactly("CONNECTION_REFUSED", "REFUSED");
    pass(Duration.ofSeconds(1));
    assertThat(asked).hasSize(1);
  }

  private void halfOpen() {
    breaker();
    Breaker breaker = first.breaker();
    var change =
        Objects.requireNonNull(breaker.ended(breaker.begin(), Sign.FAILURE, 1, ticker.nanos()));
    breaker.halfOpen(change.epoch(), ticker.nanos());
    first.followBreaker();
  }

  /** DEC-45: the attempt that tries a half-open upstream has a short timeout of its own. */
  @Test
  void trial_withoutAHead_isLateAfterFiveSeconds() {
    halfOpen();
    fetch.start();
    asked.get(0).ready();
    assertThat(first.isEjected()).as("nobody else is to go there").isTrue();
    pass(Duration.ofMillis(4_999));
    assertThat(told.words).isEmpty();

    pass(Duration.ofMillis(1));

    assertThat(told.words).startsWith("ORIGIN_RESPONSE_TIMEOUT");
    assertThat(asked.get(0).cancelled).isTrue();
    assertThat(first.breaker().view(ticker.nanos()).state()).isEqualTo(Breaker.State.OPEN);
  }

  @Test
  void trial_withAHead_isNotWaitedForToItsEnd() {
    halfOpen();
    fetch.start();

    asked.get(0).ready().head(head(200), body());

    assertThat(first.isEjected()).isFalse();
    assertThat(first.breaker().view(ticker.nanos()).state()).isEqualTo(Breaker.State.CLOSED);
    pass(Duration.ofSeconds(10));
    assertThat(asked.get(0).cancelled).isFalse();
  }

  @Test
  void upstreamThatIsBeingTried_isPassedOver() {
    halfOpen();
    long trial = first.breaker().begin();
    assertThat(first.breaker().isTrial(trial)).isTrue();

    fetch.start();

    assertThat(fetch.upstreamLabel()).isEqualTo(second.label());
    assertThat(second.inFlight()).isOne();
  }

  /** ORG-15: the upstream comes back by the clock, without any traffic. */
  @Test
  void openBreaker_isHalfOpen_afterItsTime() {
    breaker();
    fetch.start();
    asked.get(0).refused();
    assertThat(first.isEjected()).isTrue();

    loop.advance(30_000 * MILLI - 1);
    assertThat(first.isEjected()).isTrue();
    loop.advance(1);

    assertThat(first.isEjected()).isFalse();
    assertThat(first.breaker().view(ticker.nanos()).state()).isEqualTo(Breaker.State.HALF_OPEN);
  }
}
