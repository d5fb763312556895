package dev.sluice.wire.client;

import dev.sluice.net.LazyTimer;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Ticker;
import dev.sluice.wire.WireSettings;
import java.util.concurrent.TimeUnit;

/**
 * What a client owes in time: a head, then bytes of its upload or reading its answer, then its own
 * close (DEC-32). The timer runs only while something is owed. Confined to its connection's loop.
 */
final class ClientTimeouts {

  /** How long a connection whose last answer is written is read on. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private enum Awaited {
    /** The first or the next head. */
    HEAD,
    /** The end of an exchange. */
    EXCHANGE,
    /** Bytes of a tunnel, in either direction. */
    TUNNEL,
    /** The client's close behind the last answer. */
    CLOSE,
    NOTHING
  }

  private final ClientConnection connection;
  private final ClientAnswer answer;
  private final LazyTimer timer;
  private final ClientPace pace;
  private final long headNanos;
  private final long idleNanos;
  private Awaited awaited = Awaited.HEAD;
  private boolean owesBody;
  private long movedNanos;
  private final Ticker ticker;

  ClientTimeouts(
      ClientConnection connection,
      ClientAnswer answer,
      ClientContext context,
      WireSettings settings) {
    this.connection = connection;
    this.answer = answer;
    this.timer = new LazyTimer(context.loop(), context.ticker(), this::due);
    this.pace = new ClientPace(settings, context.ticker());
    this.headNanos = settings.clientHeader().toNanos();
    this.idleNanos = settings.clientIdle().toNanos();
    this.ticker = context.ticker();
  }

  /** A head is under way, or the first one is awaited. */
  void head() {
    timer.in(headNanos);
  }

  /** The head came. */
  void headEnded() {
    timer.off();
  }

  /** Its exchange begins. */
  void begin() {
    awaited = Awaited.EXCHANGE;
    owesBody = false;
    pace.begin();
  }

  /** From now on the client owes bytes of its upload. */
  void startReading() {
    pace.startReading();
  }

  /** Bytes of the upload came. */
  void moved(int bytes) {
    pace.moved(bytes);
  }

  /** The exchange is over; the next head is awaited. */
  void idle() {
    awaited = Awaited.HEAD;
    timer.in(idleNanos);
  }

  /** From now on the connection is a tunnel. */
  void tunnel() {
    awaited = Awaited.TUNNEL;
    tunnelMoved();
    timer.in(idleNanos);
  }

  /** A byte passed the tunnel. */
  void tunnelMoved() {
    movedNanos = ticker.nanos();
  }

  /** The last answer is written. */
  void linger() {
    awaited = Awaited.CLOSE;
    timer.in(LINGER_NANOS);
  }

  void close() {
    awaited = Awaited.NOTHING;
    timer.close();
  }

  /** What the client owes may have changed: whether bytes of its upload are wanted. */
  void watch(boolean bodyWanted) {
    owesBody = bodyWanted;
    watch();
  }

  /** What the client owes may have changed: bytes of the answer wait, or wait no more. */
  void watch() {
    if (awaited == Awaited.TUNNEL) {
      watchTunnel();
    } else if (awaited == Awaited.EXCHANGE) {
      watchExchange();
    }
  }

  /** The client owes reading what waits; besides, a tunnel may not stand still for ever. */
  private void watchTunnel() {
    long unsent = answer.unsent();
    if (unsent == 0) {
      pace.stopWriting();
    } else if (pace.watchWriting(answer.bytes() - unsent)) {
      timer.in(ClientPace.TICK_NANOS);
    }
  }

  private void watchExchange() {
    long unsent = answer.unsent();
    if (unsent > 0) {
      boolean unused = pace.watchWriting(answer.bytes() - unsent);
    } else {
      pace.stopWriting();
    }
    if (unsent == 0 && !owesBody) {
      timer.off();
    } else if (!timer.isArmed()) {
      // Only then: a byte now and then must not put the next look off for ever.
      timer.in(ClientPace.TICK_NANOS);
    }
  }

  private void due() {
    switch (awaited) {
      case HEAD -> connection.headTimedOut();
      case EXCHANGE -> look();
      case TUNNEL -> lookAtTunnel();
      case CLOSE -> connection.cut(Cause.CLIENT_LEFT);
      case NOTHING -> {}
    }
  }

  private void look() {
    boolean judged = connection.holdsCapacity();
    long unsent = answer.unsent();
    if (unsent > 0) {
      judge(pace.writeTick(answer.bytes() - unsent, judged), Cause.SLOW_CLIENT);
    } else if (owesBody) {
      judge(pace.readTick(judged), Cause.CLIENT_BODY_TIMEOUT);
    }
  }

  private void lookAtTunnel() {
    long unsent = answer.unsent();
    long leftNanos = movedNanos + idleNanos - ticker.nanos();
    if (unsent > 0) {
      boolean judged = connection.holdsCapacity();
      judge(pace.writeTick(answer.bytes() - unsent, judged), Cause.SLOW_CLIENT);
    } else if (leftNanos > 0) {
      pace.stopWriting();
      timer.in(leftNanos);
    } else {
      connection.cut(Cause.TUNNEL_IDLE);
    }
  }

  private void judge(ClientPace.Verdict verdict, Cause whenStill) {
    switch (verdict) {
      case FINE -> timer.in(ClientPace.TICK_NANOS);
      case STILL -> connection.tooSlow(whenStill);
      case TOO_SLOW -> connection.tooSlow(Cause.SLOW_CLIENT);
    }
  }
}
