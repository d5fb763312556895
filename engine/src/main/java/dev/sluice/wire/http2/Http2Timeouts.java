package dev.sluice.wire.http2;

import dev.sluice.net.LazyTimer;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Ticker;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.client.ClientContext;
import dev.sluice.wire.client.ClientPace;
import dev.sluice.wire.client.ClientPace.Verdict;
import java.util.concurrent.TimeUnit;

/**
 * What the client of an HTTP/2 connection owes in time (DEC-32), stream by stream, with one timer
 * for all of them that runs only while something is owed. Confined to the connection's loop.
 */
final class Http2Timeouts {

  /** How long a connection that was told to go away is read on. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private enum Awaited {
    /** The preface and the client's first SETTINGS. */
    PREFACE,
    /** A request. */
    REQUEST,
    /** Something of a stream, of a header block, or room in the socket. */
    DUES,
    /** The client's close. */
    CLOSE,
    NOTHING
  }

  private final Http2Connection connection;
  private final Ticker ticker;
  private final LazyTimer timer;
  private final long headNanos;
  private final long idleNanos;
  private final long writeNanos;
  private Awaited awaited = Awaited.PREFACE;
  private boolean inHeaders;
  private long headersSinceNanos;
  private boolean blocked;
  private long unsentBefore;
  private long movedNanos;

  Http2Timeouts(Http2Connection connection, ClientContext context, WireSettings settings) {
    this.connection = connection;
    this.ticker = context.ticker();
    this.timer = new LazyTimer(context.loop(), ticker, this::due);
    this.headNanos = settings.clientHeader().toNanos();
    this.idleNanos = settings.clientIdle().toNanos();
    this.writeNanos = settings.downstreamWrite().toNanos();
  }

  /** The preface is awaited. */
  void preface() {
    timer.in(headNanos);
  }

  /** Nothing is under way: a request is awaited. */
  void idle() {
    if (awaited != Awaited.REQUEST && awaited != Awaited.CLOSE) {
      awaited = Awaited.REQUEST;
      timer.in(idleNanos);
    }
  }

  /** Something is under way. */
  void busy() {
    if (awaited == Awaited.REQUEST) {
      awaited = Awaited.DUES;
      timer.off();
    }
  }

  /** A stream's dues may have changed. */
  void watch(Http2Stream stream) {
    if (awaited != Awaited.DUES) {
      return;
    }
    if (stream.outlet().isWaiting()) {
      stream.pace().watchWriting(stream.outlet().sent());
    } else if (stream.isPaced()) {
      stream.pace().stopWriting();
    }
    if (stream.isOwed()) {
      tick();
    }
  }

  /** A turn of reading ended; {@code under}: in the middle of a header block. */
  void headers(boolean under) {
    if (under && !inHeaders) {
      headersSinceNanos = ticker.nanos();
    }
    inHeaders = under;
    if (under) {
      busy();
      tick();
    }
  }

  /** Bytes wait for the socket. */
  void unsent(long bytes) {
    if (!blocked) {
      blocked = true;
      unsentBefore = bytes;
      movedNanos = ticker.nanos();
    }
    busy();
    tick();
  }

  /** The connection was told to go away. */
  void linger() {
    awaited = Awaited.CLOSE;
    timer.in(LINGER_NANOS);
  }

  /** A look is due soon, whatever is owed: the second half of going away. */
  void soon() {
    if (awaited != Awaited.CLOSE) {
      awaited = Awaited.DUES;
      timer.in(ClientPace.TICK_NANOS);
    }
  }

  void close() {
    awaited = Awaited.NOTHING;
    timer.close();
  }

  private void tick() {
    if (awaited == Awaited.DUES && !timer.isArmed()) {
      timer.in(ClientPace.TICK_NANOS);
    }
  }

  private void due() {
    switch (awaited) {
      case PREFACE -> connection.slow(Cause.CLIENT_HEADER_TIMEOUT);
      case REQUEST -> connection.idleExpired();
      case DUES -> look();
      case CLOSE -> connection.cut(Cause.CLIENT_LEFT);
      case NOTHING -> {}
    }
  }

  private void look() {
    connection.looked();
    if (inHeaders && ticker.nanos() - headersSinceNanos >= headNanos) {
      connection.slow(Cause.CLIENT_HEADER_TIMEOUT);
      return;
    }
    if (isStuck()) {
      connection.cut(Cause.SLOW_CLIENT);
      return;
    }
    boolean owed = inHeaders || blocked;
    for (Http2Stream stream : connection.streams()) {
      if (stream.isOwed()) {
        judge(stream);
        owed |= stream.isOwed();
      }
    }
    if (owed) {
      tick();
    }
  }

  /** Whether the socket took nothing for the whole timeout. */
  private boolean isStuck() {
    long unsent = connection.unsent();
    if (unsent == 0 || unsent < unsentBefore) {
      movedNanos = ticker.nanos();
    }
    blocked = unsent > 0;
    unsentBefore = unsent;
    return blocked && ticker.nanos() - movedNanos >= writeNanos;
  }

  private static void judge(Http2Stream stream) {
    boolean judged = stream.holdsCapacity();
    if (stream.outlet().isWaiting()) {
      judge(stream, stream.pace().writeTick(stream.outlet().sent(), judged), Cause.SLOW_CLIENT);
    } else {
      judge(stream, stream.pace().readTick(judged), Cause.CLIENT_BODY_TIMEOUT);
    }
  }

  private static void judge(Http2Stream stream, Verdict verdict, Cause whenStill) {
    switch (verdict) {
      case FINE -> {}
      case STILL -> stream.tooSlow(whenStill);
      case TOO_SLOW -> stream.tooSlow(Cause.SLOW_CLIENT);
    }
  }
}
