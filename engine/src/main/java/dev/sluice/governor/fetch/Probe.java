package dev.sluice.governor.fetch;

import dev.sluice.flow.Body;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.Cause;
import dev.sluice.time.Timer;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.OriginEvents;
import dev.sluice.wire.OriginOwner;
import dev.sluice.wire.OriginStream;
import dev.sluice.wire.RequestOut;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question to one upstream, on a connection of its own that is closed behind the answer's head;
 * of the body nothing is read. Confined to the probes' loop.
 */
final class Probe implements OriginConnector.Connected, OriginEvents, OriginOwner {

  /** The word for a probe that was answered well. */
  static final String PASSED = "passed";

  /** The word for one that was not answered in time. */
  static final String TIMEOUT = "timeout";

  private final RequestOut request;
  private final Consumer<String> told;
  private Timer.@Nullable Scheduled timer;
  private @Nullable OriginStream stream;
  private boolean over;

  private Probe(RequestOut request, Consumer<String> told) {
    this.request = request;
    this.told = told;
  }

  /**
   * Asks; {@code told} hears once: {@link #PASSED}, {@link #TIMEOUT}, {@code status_500}, or the
   * cause's word. Possibly before this returns.
   */
  static Probe ask(
      UpstreamState upstream,
      RequestOut request,
      OriginConnector connector,
      Dial.On on,
      Consumer<String> told) {
    var probe = new Probe(request, told);
    if (!Dial.to(upstream, connector, probe, probe, on)) {
      probe.end(Cause.DNS_ERROR.code());
    }
    return probe;
  }

  /** It has so long in all. */
  void within(Timer loop, long nanos) {
    if (!over) {
      timer = loop.schedule(() -> end(TIMEOUT), nanos);
    }
  }

  /** Nobody wants to know any more. */
  void cancel() {
    over = true;
    close();
  }

  @Override
  public void ready(OriginStream opened) {
    if (over) {
      opened.cancel();
      return;
    }
    stream = opened;
    opened.send(request, null, this);
  }

  @Override
  public void failed(Cause cause) {
    end(cause.code());
  }

  @Override
  public void interim(ResponseHead head) {}

  @Override
  public void head(ResponseHead head, Body body) {
    boolean passes = head.status() >= 200 && head.status() < 400;
    end(passes ? PASSED : "status_" + head.status());
  }

  @Override
  public void ended(Cause cause) {
    end(cause.code());
  }

  @Override
  public void idle(OriginStream answered) {
    answered.retire();
  }

  @Override
  public void closed(OriginStream gone) {}

  private void end(String how) {
    if (over) {
      return;
    }
    over = true;
    close();
    told.accept(how);
  }

  private void close() {
    if (timer != null) {
      timer.cancel();
    }
    if (stream != null) {
      stream.cancel();
    }
  }
}
