package dev.sluice.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.launch.Account;
import dev.sluice.soak.Ask.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * A store that a crawl fills past its bound many times over, while it is purged, read slowly and
 * left in mid-answer: it stays within its bound and the process within its own, no byte is wrong,
 * and nothing is held afterwards (CCH-04, BEY-08, DEC-38, DEC-39).
 */
class StoreSoakGate {

  private static final int SECONDS = SoakTime.seconds(45);
  private static final int WARM_UP_SECONDS = 10;
  private static final int WORKERS = 32;
  private static final int FILLERS = 12;

  private static final long MIB = 1L << 20;
  private static final int STORE_MIB = 32;
  private static final int HEAP_MIB = 256;
  private static final int DIRECT_MIB = 192;

  /** What a process may take beside its heap and direct memory (DEC-38). */
  private static final int PROCESS_MIB = 128;

  private static final long RESIDENT_GROWTH = 32 * MIB;
  private static final long HEAP_GROWTH = 8 * MIB;
  private static final long DIRECT_GROWTH = 32 * MIB;

  /** As often the origin's bytes would have filled the store. */
  private static final long TURNS = Math.max(1, SECONDS / 12);

  private static final Duration SETTLE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int HELD_PAGE = 5;

  private static final String CONFIG =
      """
      version: 1
      server:
        listen: "127.0.0.1:{{port}}"
        hosts: [soak.test]
        debug_headers: true
        graceful: { drain_period: 0s }
      timeouts: { origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        concurrency: { max: 24, queue: { max: 200, timeout: 10s, predict: false } }
      cache:
        enabled: true
        max_memory: %dMiB
        max_body_size: 1MiB
        purge: { token: %s }
      routes:
        - id: shop
          match: "/**"
          class: public_ssr
          cache: { override_origin: true, ttl: { max: 8s }, stale_while_revalidate: 4s }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """
          .formatted(STORE_MIB, Purges.TOKEN);

  private final long seed = Long.getLong("soak.seed", new Random().nextLong());

  @Test
  void store_filledPastItsBound_staysWithinItsMemoryAndLiesToNobody() throws Exception {
    System.out.println("soak: seed " + seed + " (again with -Dsoak.seed=" + seed + ")");
    var findings =
        new Findings(
            "store-soak",
            "A store that is filled past its bound, purged, read slowly and left in mid-answer"
                + " stays within its memory, and every body that was read to its end is right");
    findings.parameter("seed", seed);
    findings.parameter("seconds", SECONDS);
    findings.parameter("workers", WORKERS);
    findings.parameter("pages", StoreAsks.PAGES);
    findings.parameter("store MiB", STORE_MIB);
    findings.parameter("heap and direct MiB", HEAP_MIB + " and " + DIRECT_MIB);
    try (var stack = new SoakStack(CONFIG, HEAP_MIB, DIRECT_MIB)) {
      var purges = new Purges(stack.sluice().adminPort(), new Random(seed));
      crawl(stack, purges, ~seed, WARM_UP_SECONDS);
      SoakStack.Memory before = emptied(stack, purges);
      controls(stack, findings, purges);
      stack.origin().reset();
      Crawl crawl = crawl(stack, purges, seed, SECONDS);
      during(stack, findings, crawl);
      afterwards(stack, findings, purges, before);
    }
    int leaksSeen = LeakingProgram.leakLinesSeen();
    findings.control("leak lines of a program that leaks", leaksSeen, leaksSeen > 0);

    assertThat(findings.publish()).isEmpty();
  }

  /** What clients and onlookers saw of one crawl. */
  private record Crawl(Ledger ledger, MemoryWatch memory, int purges) {}

  private static Crawl crawl(SoakStack stack, Purges purges, long seed, int seconds)
      throws Exception {
    Deadline end = Deadline.in(Duration.ofSeconds(seconds));
    var purged = CompletableFuture.supplyAsync(() -> purges.until(end), StoreSoakGate::start);
    var watched =
        CompletableFuture.supplyAsync(() -> MemoryWatch.until(end, stack), StoreSoakGate::start);
    Ledger ledger = Traffic.run(stack, WORKERS, seed, end, StoreAsks::new);
    return new Crawl(ledger, within(watched), within(purged));
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "soak-onlooker");
    thread.setDaemon(true);
    thread.start();
  }

  private static <T> T within(CompletableFuture<T> task) throws Exception {
    return task.get(SETTLE.toSeconds(), TimeUnit.SECONDS);
  }

  private static SoakStack.Memory emptied(SoakStack stack, Purges purges) {
    stack.await(Account::isQuiet, SETTLE);
    purges.all();
    await(stack, StoreState::isEmpty);
    return stack.settledMemory();
  }

  private static StoreState await(SoakStack stack, Predicate<StoreState> wanted) {
    Deadline deadline = Deadline.in(SETTLE);
    StoreState now = StoreState.of(stack);
    while (!wanted.test(now) && !deadline.isOver()) {
      LockSupport.parkNanos(LOOK_NANOS);
      now = StoreState.of(stack);
    }
    return now;
  }

  // Controls: the same looks at what is wrong, or held, on purpose.

  private static void controls(SoakStack stack, Findings findings, Purges purges) {
    Ask foreign = StoreAsks.page(7);
    Answer seen = foreign.judge(fetch(stack, StoreAsks.page(8)));
    findings.control("a body of another page", seen, seen == Answer.WRONG);
    Ask large = StoreAsks.large(HELD_PAGE);
    fetch(stack, large);
    StoreState kept = await(stack, store -> store.entries() == 2 && store.pinnedBytes() == 0);
    findings.control("bytes of two kept pages", kept.bytes(), isRoughly(kept.bytes(), large));
    try (RawClient held = slowReader(stack, large)) {
      purges.all();
      StoreState purged = await(stack, store -> store.entries() == 0);
      findings.control(
          "bytes of a purged page that is still read",
          purged.pinnedBytes(),
          isRoughly(purged.pinnedBytes(), large) && purged.bytes() == purged.pinnedBytes());
      held.reset();
    }
    StoreState left = await(stack, StoreState::isEmpty);
    findings.control("bytes once its reader left", left.bytes(), left.isEmpty());
  }

  private static boolean isRoughly(long bytes, Ask large) {
    return bytes > large.expected().length && bytes < large.expected().length + 50_000;
  }

  /** One that takes the head and then nothing. */
  private static RawClient slowReader(SoakStack stack, Ask ask) {
    RawClient client = RawClient.connect(stack.port(), SETTLE, 8_192).send(ask.request());
    client.readFinalHead();
    return client;
  }

  private static RawResponse fetch(SoakStack stack, Ask ask) {
    try (RawClient client = RawClient.connect(stack.port())) {
      return client.send(ask.request()).readAll();
    }
  }

  // Findings.

  private static void during(SoakStack stack, Findings findings, Crawl crawl) {
    MemoryWatch memory = crawl.memory();
    Ledger ledger = crawl.ledger();
    var origin = stack.origin().stats();
    StoreState store = StoreState.of(stack);
    long answers = ledger.count(Answer.WHOLE);
    findings.measured("outcomes", ledger.counts());
    findings.measured("purges", crawl.purges());
    findings.measured("entries purged", store.purged());
    findings.measured("evictions", store.evictions());
    findings.measured("requests at the origin", origin.requests());
    findings.measured("MiB from the origin", origin.bytesWritten() / MIB);
    long turns = origin.bytesWritten() / (STORE_MIB * MIB);
    findings.holds("the store was filled " + TURNS + " times over", turns >= TURNS);
    findings.holds("entries were evicted", store.evictions() > 0);
    findings.holds("fewer requests at the origin than answers", origin.requests() < answers);
    findings.measured("looks at the memory", memory.looks());
    findings.atMost("store bytes at most", memory.storeMost(), STORE_MIB * MIB);
    findings.memory("memory of the store", memory.storePoints(), STORE_MIB * MIB);
    findings.memory(
        "resident memory", memory.residentPoints(), (HEAP_MIB + DIRECT_MIB + PROCESS_MIB) * MIB);
    findings.measured("bytes read but no longer found, at most", memory.pinnedMost());
    findings.atMost(
        "resident bytes at most",
        memory.residentMost(),
        (HEAP_MIB + DIRECT_MIB + PROCESS_MIB) * MIB);
    findings.atMost("resident growth in bytes", memory.residentGrowth(), RESIDENT_GROWTH);
    findings.measured("wrong answers, the first of them", ledger.wrong());
    findings.zero("wrong answers", ledger.wrongCount());
  }

  private static void afterwards(
      SoakStack stack, Findings findings, Purges purges, SoakStack.Memory before) throws Exception {
    Account quiet = stack.await(Account::isQuiet, SETTLE);
    quiet.underWay().forEach((name, value) -> findings.zero(name + " afterwards", value));
    findings.zero("pinned bytes afterwards", await(stack, StoreState::isUnpinned).pinnedBytes());
    fill(stack);
    StoreState full = await(stack, StoreState::isUnpinned);
    findings.holds("the store fills to its bound again", full.bytes() > STORE_MIB * MIB * 3 / 4);
    findings.atMost("store bytes when full", full.bytes(), full.maxBytes());
    SoakStack.Memory left = emptied(stack, purges);
    StoreState empty = StoreState.of(stack);
    findings.zero("store bytes once all is purged", empty.bytes());
    findings.zero("store entries once all is purged", empty.entries());
    findings.measured("heap bytes at the start", before.heap());
    findings.atMost("heap growth in bytes", left.heap() - before.heap(), HEAP_GROWTH);
    findings.measured("direct bytes at the start", before.direct());
    findings.atMost(
        "direct memory growth in bytes", left.direct() - before.direct(), DIRECT_GROWTH);
    findings.zero("leak lines", stack.leakLines().size());
  }

  /** More pages than there is room for, each once, by several clients. */
  private static void fill(SoakStack stack) throws Exception {
    var pages = new AtomicInteger();
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < FILLERS; i++) {
      clients.add(CompletableFuture.runAsync(() -> fill(stack, pages), StoreSoakGate::start));
    }
    for (CompletableFuture<Void> client : clients) {
      within(client);
    }
  }

  private static void fill(SoakStack stack, AtomicInteger pages) {
    try (RawClient client = RawClient.connect(stack.port())) {
      for (int page = pages.getAndIncrement();
          page < StoreAsks.PAGES / 2;
          page = pages.getAndIncrement()) {
        client.send(StoreAsks.page(page).request()).readAll();
      }
    }
  }
}
