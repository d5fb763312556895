package dev.sluice.governor;

import dev.sluice.observe.Timeline;
import dev.sluice.outcome.BypassReason;
import org.jspecify.annotations.Nullable;

/**
 * What a flight writes into the log of the passenger that began it, for as long as that one is
 * aboard; nothing where nobody began it, or behind its leaving. Confined to the flight's loop.
 */
final class FlightLog {

  private final FlightContext context;
  private @Nullable Timeline timeline;
  private long grantedNanos;

  FlightLog(FlightContext context, @Nullable Timeline timeline) {
    this.context = context;
    this.timeline = timeline;
  }

  /** The passenger goes on without this flight. */
  void close() {
    timeline = null;
  }

  /** The address of who began it; empty where nobody did. */
  String client() {
    return timeline == null ? "" : timeline.client();
  }

  void admissionAsked() {
    if (timeline != null) {
      timeline.admissionAsked(context.now());
    }
  }

  void granted(boolean forRender) {
    grantedNanos = context.now();
    if (timeline != null) {
      timeline.granted(grantedNanos, forRender);
    }
  }

  void upstream(FlightAttempts asked) {
    if (timeline != null) {
      timeline.upstream(asked.upstream());
    }
  }

  void headCame(@Nullable FlightAttempts asked) {
    if (timeline != null && asked != null) {
      timeline.headCame(context.now(), asked.count());
    }
  }

  void kept(boolean spool) {
    if (timeline != null) {
      timeline.kept(spool);
    }
  }

  void slid(BypassReason why) {
    if (timeline != null) {
      timeline.slid(why);
    }
  }

  void notKept(BypassReason reason) {
    if (timeline != null) {
      timeline.notKept(reason);
    }
  }

  void originEnded(FlightAttempts asked) {
    if (timeline != null) {
      timeline.upstream(asked.upstream());
      timeline.originEnded(context.now() - grantedNanos, asked.count(), asked.isReused());
    }
  }
}
