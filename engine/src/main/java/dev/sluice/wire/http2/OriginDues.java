package dev.sluice.wire.http2;

/**
 * What an upstream owes one attempt, and until when: to take the request, to answer it, to go on
 * answering. Looked at by the connection's one timer ({@link OriginWatch}). Confined to its loop.
 */
final class OriginDues {

  private final OriginWatch watch;
  private boolean owed;
  private long deadlineNanos;
  private long sentBefore;

  OriginDues(OriginWatch watch) {
    this.watch = watch;
  }

  /** Something is owed within {@code nanos}. */
  void owe(long nanos) {
    owed = true;
    deadlineNanos = watch.now() + nanos;
    watch.noLaterThan(nanos);
  }

  /** It must take what waits in {@code sending} within {@code nanos}; as it takes some, anew. */
  void oweTaking(Outlet sending, long nanos) {
    if (!sending.isWaiting()) {
      owed = false;
    } else if (!owed || sending.sent() != sentBefore) {
      sentBefore = sending.sent();
      owe(nanos);
    }
  }

  void none() {
    owed = false;
  }

  /** How long from {@code now} until it is due; {@link Long#MAX_VALUE} where nothing is owed. */
  long dueIn(long now) {
    return owed ? deadlineNanos - now : Long.MAX_VALUE;
  }
}
