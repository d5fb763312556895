package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.admin.StatusSource;
import dev.sluice.governor.admit.Snapshot;
import dev.sluice.net.NetLoop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

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
  public boolean isDraining() {
    return sluice.isDraining();
  }

  @Override
  public EngineStatus status() {
    Map<String, Snapshot> admissions = new LinkedHashMap<>();
    admissions.put("render", sluice.ceilings().renders().snapshot());
    admissions.put("static", sluice.ceilings().statics().snapshot());
    admissions.put("streaming", sluice.ceilings().streams().snapshot());
    return new EngineStatus(
        Version.current(),
        sluice.generation(),
        sluice.settings().fingerprint(),
        sluice.isReady(),
        sluice.isDraining(),
        TimeUnit.NANOSECONDS.toMillis(sluice.uptimeNanos()),
        sluice.loops().transport().code(),
        sluice.port(),
        admissions,
        sluice.upstreams().all().stream()
            .map(up -> new EngineStatus.Upstream(up.label(), up.connections(), up.inFlight()))
            .toList(),
        sluice.loops().all().stream().map(NetLoop::connections).toList(),
        memory());
  }

  private EngineStatus.Memory memory() {
    Runtime runtime = Runtime.getRuntime();
    return new EngineStatus.Memory(
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        sluice.directMemory().used(),
        sluice.requestMemory().used());
  }
}
