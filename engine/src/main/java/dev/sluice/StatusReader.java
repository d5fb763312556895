package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.admin.StatusSource;
import dev.sluice.application.Application;
import dev.sluice.governor.admit.Snapshot;
import dev.sluice.governor.fetch.UpstreamState;
import dev.sluice.governor.fetch.attempts.Breaker;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.net.NetLoop;
import dev.sluice.outcome.GoAwayReason;
import dev.sluice.wire.accept.ArrivalCounts;
import dev.sluice.wire.http2.Http2Census;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads an engine's status off its parts. Thread-safe. */
final class StatusReader implements StatusSource {

  private final Sluice sluice;

  StatusReader(Sluice sluice) {
    this.sluice = sluice;
  }

  @Override
  public boolean isReady() {
    return sluice.isReady();
  }

  @Override
  public boolean isApplicationUp() {
    Application application = sluice.application();
    return application == null || application.isUp();
  }

  @Override
  public boolean isDraining() {
    return sluice.isDraining();
  }

  @Override
  public EngineStatus status() {
    Map<String, EngineStatus.Admission> admissions = new LinkedHashMap<>();
    Snapshot renders = sluice.ceilings().renders().snapshot();
    admissions.put("render", admission(renders));
    admissions.put("static", admission(sluice.ceilings().statics().snapshot()));
    admissions.put("streaming", admission(sluice.ceilings().streams().snapshot()));
    admissions.put("upgrade", admission(sluice.ceilings().upgrades().snapshot()));
    return new EngineStatus(
        Version.current(),
        sluice.generation(),
        sluice.settings().fingerprint(),
        sluice.reloadRefused(),
        isReady() && isApplicationUp(),
        sluice.isDraining(),
        TimeUnit.NANOSECONDS.toMillis(sluice.uptimeNanos()),
        sluice.loops().transport().code(),
        sluice.tls().provider().code(),
        sluice.listeners(),
        arrivals(),
        admissions,
        work(),
        sluice.upstreams().listed().stream().map(state -> upstream(state, renders)).toList(),
        application(),
        sluice.loops().all().stream().map(NetLoop::connections).toList(),
        http2(),
        cache(),
        memory());
  }

  private EngineStatus.Upstream upstream(UpstreamState state, Snapshot renders) {
    Snapshot.Scope units = renders.upstreams().get(state.label());
    return new EngineStatus.Upstream(
        state.label(),
        state.addresses().stream().map(StatusReader::text).toList(),
        new EngineStatus.Fitness(
            sluice.upstreams().rotation().uses(state),
            state.isRemoved(),
            state.isHealthy(),
            state.isEjected(),
            state.lastProbe(),
            state.failedProbes()),
        state.connections(),
        state.idle(),
        state.inFlight(),
        state.latencyNanos() < 0 ? -1 : TimeUnit.NANOSECONDS.toMicros(state.latencyNanos()),
        units == null ? null : scope(units),
        breaker(state));
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress();
  }

  private EngineStatus.Breaker breaker(UpstreamState state) {
    Breaker.View now = state.breaker().view(sluice.nanos());
    return new EngineStatus.Breaker(
        now.state().code(), now.failures(), now.attempts(), now.trips());
  }

  private EngineStatus.@Nullable Application application() {
    Application application = sluice.application();
    if (application == null) {
      return null;
    }
    Application.View now = application.view();
    return new EngineStatus.Application(
        now.state().code(), now.pid(), now.restarts(), now.lastExit());
  }

  private EngineStatus.Http2 http2() {
    Http2Census census = sluice.http2();
    Map<String, Long> goAways = new LinkedHashMap<>();
    for (GoAwayReason reason : GoAwayReason.values()) {
      goAways.put(reason.code(), census.goAways(reason));
    }
    return new EngineStatus.Http2(
        census.connections(),
        census.streams(),
        census.refused(),
        census.clientResets(),
        census.ourResets(),
        goAways);
  }

  private EngineStatus.Arrivals arrivals() {
    ArrivalCounts counts = sluice.arrivals();
    return new EngineStatus.Arrivals(counts.handshakes(), counts.faults(), counts.proxyRefusals());
  }

  private EngineStatus.Work work() {
    return new EngineStatus.Work(
        sluice.observer().openExchanges(),
        sluice.observer().openFlights(),
        sluice.governor().boardableFlights(),
        sluice.governor().openRefreshes());
  }

  private EngineStatus.Cache cache() {
    ResponseCache.Occupancy now = sluice.cache().occupancy();
    return new EngineStatus.Cache(
        now.entries(),
        now.variants(),
        now.bytes(),
        now.maxBytes(),
        now.pinnedBytes(),
        now.evictions(),
        now.purges(),
        now.purged());
  }

  private static EngineStatus.Admission admission(Snapshot now) {
    Map<String, EngineStatus.Scope> tiers = new LinkedHashMap<>();
    now.tiers().forEach((tier, scope) -> tiers.put(tier.code(), scope(scope)));
    Map<String, EngineStatus.Scope> routes = new LinkedHashMap<>();
    now.routes().forEach((route, scope) -> routes.put(route, scope(scope)));
    Map<String, Long> sheds = new LinkedHashMap<>();
    now.sheds().forEach((cause, count) -> sheds.put(cause.code(), count));
    return new EngineStatus.Admission(
        scope(now.global()), tiers, routes, now.grants(), sheds, now.longestDrainNanos());
  }

  private static EngineStatus.Scope scope(Snapshot.Scope scope) {
    return new EngineStatus.Scope(scope.max(), scope.inFlight(), scope.waiting());
  }

  private EngineStatus.Memory memory() {
    Runtime runtime = Runtime.getRuntime();
    return new EngineStatus.Memory(
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        sluice.directMemory().used(),
        sluice.requestMemory().used(),
        sluice.bodies().used(),
        sluice.bodies().max());
  }
}
