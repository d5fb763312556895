package dev.sluice.soak;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.reports.Gate;
import dev.sluice.soak.Vitals.Sign;
import dev.sluice.soak.trend.Trend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same mixed load for minutes or, with {@code soak.minutes}, hours: clients that come and go,
 * memory near its bounds, reloads and restarts; nothing grows, and a Sluice that keeps a little of
 * everything is caught by the same look (GTE-44 to GTE-46).
 */
class EnduranceGate {

  private static final int SECONDS = SoakTime.seconds(120);
  private static final int WARM_UP_SECONDS = 12;
  private static final int CONTROL_SECONDS = 12;
  private static final int LOOKS = 100;
  private static final int WORKERS = 12;

  /** Readers whose bodies lie in the spool; together they ask for more than it may hold. */
  private static final int SPOOLERS = 6;

  private static final int STORE_MIB = 24;
  private static final int SPOOL_MIB = 8;
  private static final int ROOMY_SPOOL_MIB = 32;
  private static final int RENDERS = 24;

  /**
   * What finds no room in the spool streams on: a window of 64 KiB for each, and as much again that
   * was being read (DEC-26).
   */
  private static final long SPOOL_BYTES_MOST = SPOOL_MIB * (1L << 20) + RENDERS * (128L << 10);

  private static final int HEAP_MIB = 36;

  /** The least that Sluice takes for this store and spool: a tenth less is what it reckons with. */
  private static final int DIRECT_MIB =
      (STORE_MIB + SPOOL_MIB + 32 + 4 * Runtime.getRuntime().availableProcessors() + 1) * 10 / 9;

  private static final int PROCESS_MIB = 128;
  private static final long MIB = 1L << 20;
  private static final Duration SETTLE = Duration.ofSeconds(60);
  private static final Duration RELOAD_PAUSE = Duration.ofMillis(1_500);
  private static final Duration RESTART_PAUSE = Duration.ofSeconds(4);

  private final long seed = Long.getLong("soak.seed", new Random().nextLong());

  @Test
  void constantMixedLoad_growsNothing(@TempDir Path folder) {
    System.out.println("soak: seed " + seed + " (again with -Dsoak.seed=" + seed + ")");
    Gate.claim(
            "endurance",
            "Under constant mixed load, with its memory near its bounds, reloads and restarts,"
                + " nothing grows, no request fails for them, and no answer is wrong.",
            RepoRoot.path())
        .given("seed", seed)
        .given("seconds", SECONDS)
        .given("clients", 2 * WORKERS + SPOOLERS)
        .given("slow_readers_of_spooled_bodies", SPOOLERS)
        .given("store_mib", STORE_MIB)
        .given("spool_mib", SPOOL_MIB)
        .given("spool_and_windows_bytes", SPOOL_BYTES_MOST)
        .given("heap_and_direct_mib", HEAP_MIB + " and " + DIRECT_MIB)
        .judge(
            gate -> {
              leaking(gate, LeakingAgent.flag(folder));
              try (var stack = new SoakStack(config(1_000, SPOOL_MIB), HEAP_MIB, DIRECT_MIB)) {
                load(stack, Deadline.in(Duration.ofSeconds(WARM_UP_SECONDS)), ~seed).call();
                endure(gate, stack);
                afterwards(gate, stack);
              }
            });
  }

  // The control.

  private void leaking(Gate gate, String agent) throws Exception {
    gate.given("control_seconds", CONTROL_SECONDS);
    gate.given("control_spool_mib", ROOMY_SPOOL_MIB);
    String roomy = config(1_000, ROOMY_SPOOL_MIB);
    try (var stack = new SoakStack(roomy, 2 * HEAP_MIB, 2 * DIRECT_MIB, agent)) {
      Deadline end = Deadline.in(Duration.ofSeconds(CONTROL_SECONDS));
      var memory = beside(() -> MemoryWatch.until(end, stack));
      var load = beside(load(stack, end, seed + 1));
      try (var vitals = watch(stack, end, SoakTime.pause(CONTROL_SECONDS, LOOKS))) {
        load.get(SETTLE.toSeconds(), TimeUnit.SECONDS);
        for (Sign sign : Sign.values()) {
          Trend trend = vitals.trend(sign);
          gate.control(sign.text() + ", growth", told(trend, sign));
          gate.control(sign.text() + " grows", vitals.grows(sign), equalTo(true));
          gate.controlSeries(sign.text(), sign.unit(), "a Sluice that leaks", vitals.points(sign));
        }
        // What the readers ask for is more than the bound that the soak holds them to.
        long spooled = memory.get(SETTLE.toSeconds(), TimeUnit.SECONDS).spoolMost();
        gate.control("spool_bytes_most", spooled, above(SPOOL_BYTES_MOST));
      }
    }
  }

  // The soak.

  private void endure(Gate gate, SoakStack stack) throws Exception {
    Deadline end = Deadline.in(Duration.ofSeconds(SECONDS));
    var ledger = new Ledger();
    String one = filled(config(1_000, SPOOL_MIB), stack);
    String other = filled(config(900, SPOOL_MIB), stack);
    var reloads = beside(() -> Reloads.until(end, RELOAD_PAUSE, stack.sluice(), one, other));
    var restarts = new Restarts(one, RESTART_PAUSE, end);
    var restarted =
        beside(
            () -> {
              restarts.run(seed);
              return true;
            });
    var memory = beside(() -> MemoryWatch.until(end, stack));
    var purges = beside(() -> new Purges(stack.sluice().adminPort(), new Random(seed)).until(end));
    var load = beside(load(stack, end, seed, ledger));
    try (var vitals = watch(stack, end, SoakTime.pause(SECONDS, LOOKS))) {
      load.get(SETTLE.toSeconds(), TimeUnit.SECONDS);
      trends(gate, vitals);
    }
    restarted.get(SETTLE.toSeconds(), TimeUnit.SECONDS);
    gate.measured("restarts", restarts.restarts(), atLeast(2));
    gate.measured("asked_across_restarts", restarts.asked(), above(100));
    gate.measured("failures_across_restarts_first", restarts.failures());
    gate.measured("failures_across_restarts", restarts.failureCount(), exactly(0));
    Reloads reloaded = reloads.get(SETTLE.toSeconds(), TimeUnit.SECONDS);
    gate.measured("reloads", reloaded.sent(), atLeast(3));
    gate.measured("reloads_in_force", reloaded.inForce(), exactly(reloaded.sent()));
    gate.measured("purges", purges.get(SETTLE.toSeconds(), TimeUnit.SECONDS), above(10));
    pressure(gate, memory.get(SETTLE.toSeconds(), TimeUnit.SECONDS));
    gate.measured("outcomes", ledger.counts());
    gate.measured("wrong_answers_first", ledger.wrong());
    gate.measured("wrong_answers", ledger.wrongCount(), exactly(0));
  }

  private static void trends(Gate gate, Vitals vitals) {
    gate.given("looks", vitals.points(Sign.HEAP).size());
    for (Sign sign : Sign.values()) {
      gate.measured(sign.text() + ", growth", told(vitals.trend(sign), sign));
      gate.measured(sign.text() + " grows", vitals.grows(sign), equalTo(false));
      gate.series(sign.text(), sign.unit(), "Sluice", vitals.points(sign));
    }
  }

  private static void pressure(Gate gate, MemoryWatch memory) {
    gate.measured("store_bytes_most", memory.storeMost(), atMost(STORE_MIB * MIB));
    gate.measured(
        "store_was_near_its_bound", memory.storeMost() > 0.8 * STORE_MIB * MIB, equalTo(true));
    gate.measured("spool_bytes_most", memory.spoolMost(), atMost(SPOOL_BYTES_MOST));
    gate.measured(
        "spool_was_near_its_bound", memory.spoolMost() > 0.8 * SPOOL_MIB * MIB, equalTo(true));
    // The JVM itself holds both to their sizes; here they are to have come near.
    gate.measured("heap_mib_most", memory.heapMost() / MIB, atLeast(HEAP_MIB / 2));
    gate.measured(
        "direct_mib_most", memory.directMost() / MIB, atLeast(0.8 * (STORE_MIB + SPOOL_MIB)));
    gate.measured(
        "resident_mib_most",
        memory.residentMost() / MIB,
        atMost(HEAP_MIB + DIRECT_MIB + PROCESS_MIB));
  }

  private static void afterwards(Gate gate, SoakStack stack) {
    var after = stack.await(account -> account.isQuiet(), SETTLE);
    gate.measured("under_way_afterwards", after.underWay());
    gate.measured("is_quiet_afterwards", after.isQuiet(), equalTo(true));
    gate.measured("leak_lines", stack.leakLines().size(), exactly(0));
  }

  // What goes on.

  private static Callable<Boolean> load(SoakStack stack, Deadline end, long seed) {
    return load(stack, end, seed, new Ledger());
  }

  /** Everything at once: forms, events, downloads, clients that leave, a shop's pages, spools. */
  private static Callable<Boolean> load(SoakStack stack, Deadline end, long seed, Ledger ledger) {
    return () -> {
      var shop = beside(() -> Traffic.run(stack, WORKERS, seed, end, StoreAsks::new));
      var spools = beside(() -> Traffic.run(stack, SPOOLERS, seed + 2, end, SpoolAsks::new));
      ledger.add(Traffic.run(stack, WORKERS, ~seed, end, AskMaker::new));
      ledger.add(shop.get(SETTLE.toSeconds(), TimeUnit.SECONDS));
      ledger.add(spools.get(SETTLE.toSeconds(), TimeUnit.SECONDS));
      return true;
    };
  }

  /** Looks at the vitals until the end. */
  private static Vitals watch(SoakStack stack, Deadline end, Duration pause) throws Exception {
    var vitals = new Vitals(stack);
    while (!end.isOver()) {
      vitals.look();
      LockSupport.parkNanos(pause.toNanos());
    }
    return vitals;
  }

  private static <T> CompletableFuture<T> beside(Callable<T> task) {
    var done = new CompletableFuture<T>();
    Thread thread =
        new Thread(
            () -> {
              try {
                done.complete(task.call());
              } catch (Exception | AssertionError e) {
                done.completeExceptionally(e);
              }
            },
            "soak-beside");
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  private static String told(Trend trend, Sign sign) {
    return String.format(
        Locale.ROOT,
        "%.2f %s in %.0f s (%.1f deviations; allowed %.0f)",
        trend.growth(),
        sign.unit(),
        trend.spanSeconds(),
        trend.deviations(),
        sign.allowance());
  }

  private static String filled(String config, SoakStack stack) {
    return config.replace("{{origin}}", "" + stack.origin().port());
  }

  private static String config(int queue, int spoolMib) {
    return """
        version: 1
        server:
          listen: "127.0.0.1:{{port}}"
          graceful: { drain_period: 1s }
        timeouts: { origin_response: 5s, origin_read: 5s, origin_idle: 1s }
        origin:
          upstreams: ["127.0.0.1:{{origin}}"]
          abandon_hold: 1s
          finish_timeout: 5s
          concurrency: { max: %d, streaming: 16, queue: { max: %d, timeout: 10s, predict: false } }
        cache:
          enabled: true
          max_memory: %dMiB
          max_body_size: 1MiB
          purge: { token: %s }
        spool: { max_body: %dB, max_memory: %dMiB }
        routes:
          - { id: download, match: "/download/**", class: private_dynamic, spool: { enabled: true } }
          - { id: events, match: "/events/**", class: streaming }
          - { id: close, match: "/close/**", class: private_dynamic, on_client_abort: close }
          - id: page
            match: "/page/**"
            class: public_ssr
            cache: { override_origin: true, ttl: { max: 8s }, stale_while_revalidate: 4s }
          - id: large
            match: "/large/**"
            class: public_ssr
            cache: { override_origin: true, ttl: { max: 8s }, stale_while_revalidate: 4s }
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(RENDERS, queue, STORE_MIB, Purges.TOKEN, SpoolAsks.BYTES_MAX, spoolMib);
  }
}
