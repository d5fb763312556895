package dev.sluice.governor.fetch;

import dev.sluice.governor.fetch.FetchSettings.HealthSettings;
import dev.sluice.time.Loop;
import dev.sluice.time.Ticker;
import dev.sluice.time.Timer;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.RequestOut;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks each upstream again and again whether it is well (ORG-06), on a loop of its own and without
 * a permit, so that a full origin or a busy proxy delays no probe (A06). The first probes are
 * spread over one interval, and each interval is a little longer or shorter, so that many proxies
 * do not ask in step. Confined to the loop, but for {@link #follow}.
 */
public final class HealthChecks {

  private static final Logger log = LoggerFactory.getLogger(HealthChecks.class);

  private final Loop loop;
  private final Ticker ticker;
  private final OriginConnector connector;
  private final RandomGenerator random;
  private final Map<UpstreamState, Checked> checked = new HashMap<>();

  public HealthChecks(Loop loop, Ticker ticker, OriginConnector connector, RandomGenerator random) {
    this.loop = loop;
    this.ticker = ticker;
    this.connector = connector;
    this.random = random;
  }

  /**
   * From now on these, asked like this; null = nobody is asked, and who was unhealthy counts as
   * healthy again (ORG-07). An upstream that stays keeps what is known of it. Any thread.
   */
  public void follow(List<UpstreamState> upstreams, @Nullable HealthSettings settings) {
    loop.run(() -> enforce(upstreams, settings));
  }

  private void enforce(List<UpstreamState> upstreams, @Nullable HealthSettings settings) {
    for (Checked each : List.copyOf(checked.values())) {
      if (settings == null || !upstreams.contains(each.upstream)) {
        checked.remove(each.upstream);
        each.stop();
      }
    }
    if (settings == null) {
      return;
    }
    for (UpstreamState upstream : upstreams) {
      checked.computeIfAbsent(upstream, Checked::new).ask(settings);
    }
  }

  /** One upstream and what its probes said. */
  private final class Checked {

    private final UpstreamState upstream;
    private @Nullable HealthSettings settings;
    private @Nullable RequestOut request;
    private @Nullable Probe probe;
    private Timer.@Nullable Scheduled next;
    private long askedNanos;
    private int failures;
    private int successes;

    Checked(UpstreamState upstream) {
      this.upstream = upstream;
    }

    /** From now on like this; another rhythm starts anew. */
    void ask(HealthSettings now) {
      if (now.equals(settings)) {
        return;
      }
      settings = now;
      request = OwnRequest.of("GET", now.path(), upstream);
      cancel();
      next = loop.schedule(this::probe, random.nextLong(1, now.interval().toNanos() + 1));
    }

    /** Nobody is asked any more. */
    void stop() {
      cancel();
      upstream.probed(null, 0);
      upstream.healthy(true);
    }

    private void cancel() {
      if (next != null) {
        next.cancel();
      }
      if (probe != null) {
        probe.cancel();
        probe = null;
      }
    }

    private void probe() {
      HealthSettings now = settings;
      RequestOut asked = request;
      if (now == null || asked == null) {
        return;
      }
      askedNanos = ticker.nanos();
      probe = Probe.ask(upstream, asked, connector, new Dial.On(loop, ticker), this::told);
      probe.within(loop, now.timeout().toNanos());
      long interval = now.interval().toNanos();
      // Up to a tenth more or less.
      long jitter = random.nextLong(interval / 5 + 1) - interval / 10;
      next = loop.schedule(this::probe, Math.max(1, interval + jitter));
    }

    private void told(String how) {
      HealthSettings now = settings;
      if (now == null) {
        return;
      }
      if (how.equals(Probe.PASSED)) {
        successes++;
        failures = 0;
      } else if (!how.equals(Probe.TIMEOUT) || !answersFlights()) {
        failures++;
        successes = 0;
      }
      upstream.probed(how, failures);
      judge(now, how);
    }

    /**
     * A06: one that is too busy to answer a probe in time and answered flights meanwhile is busy,
     * not dead.
     */
    private boolean answersFlights() {
      return upstream.answeredSince(askedNanos);
    }

    private void judge(HealthSettings now, String how) {
      if (upstream.isHealthy() && failures >= now.unhealthyAfter()) {
        log.warn(
            "upstream {} is unhealthy: {} probes in a row failed, the last: {}",
            upstream.label(),
            failures,
            how);
        upstream.healthy(false);
      } else if (!upstream.isHealthy() && successes >= now.healthyAfter()) {
        log.info("upstream {} is healthy again", upstream.label());
        upstream.healthy(true);
      }
    }
  }
}
