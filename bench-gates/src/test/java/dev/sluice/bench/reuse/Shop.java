package dev.sluice.bench.reuse;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.OriginStats;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.crowd.Crowd;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.Visit;
import dev.sluice.fixture.crowd.VisitOutcome;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** A slow origin and a Sluice before it, each in a process of its own. Thread-safe. */
final class Shop implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A query parameter: the origin says that its answer is fresh for a minute. */
  static final String FRESH = "&h=Cache-Control:max-age%3D60";

  private static final String TOKEN = "a-token-of-24-characters";

  /** A block: a store that {@link #purge} may purge. */
  static final String PURGED_CACHE = "cache: { enabled: true, purge: { token: " + TOKEN + " } }";

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Pattern EXCHANGES = Pattern.compile("\"exchanges\" : ([0-9]+)");
  private static final Pattern GENERATION = Pattern.compile("\"generation\" : ([0-9]+)");

  /** One answer and how long it took from connecting to its last byte. */
  record Answer(RawResponse response, long tookMillis) {
    int status() {
      return response.status();
    }

    /** The word of {@code X-Sluice}. */
    String how() {
      return response.header("X-Sluice");
    }

    /** Which of the origin's renders it is. */
    String render() {
      return response.header("X-Render");
    }
  }

  private final SlowOriginProcess origin;
  private final SluiceProcess sluice;

  private Shop(SlowOriginProcess origin, ShopFile file, String... jvmFlags) {
    this.origin = origin;
    this.sluice = SluiceProcess.start(SluiceProcess.jar(), file.text(origin.port()), jvmFlags);
  }

  static Shop open(ShopFile file, String... jvmFlags) {
    SlowOriginProcess origin = SlowOriginProcess.start("--loops", "1");
    try {
      return new Shop(origin, file, jvmFlags);
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
  }

  /** Another Sluice before the same origin; that is ended with either of them. */
  Shop replica(ShopFile file) {
    return new Shop(origin, file);
  }

  static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path());
  }

  int port() {
    return sluice.port();
  }

  SlowOriginProcess origin() {
    return origin;
  }

  SluiceProcess sluice() {
    return sluice;
  }

  /** What the origin itself counted. */
  OriginStats counted() {
    return origin.stats();
  }

  long renders() {
    return counted().rendersBegun();
  }

  // Asking.

  RawClient connect() {
    return RawClient.connect(port(), PATIENCE);
  }

  /** A connection whose other side soon feels that nobody reads. */
  RawClient connectNarrow() {
    return RawClient.connect(port(), PATIENCE, 16 << 10);
  }

  /** Asks on a connection of its own and reads the whole answer. */
  Answer fetch(String target) {
    long began = System.nanoTime();
    try (var client = connect()) {
      RawResponse response = client.get(target).readAll();
      return new Answer(response, millisSince(began));
    }
  }

  /** So many GETs of one target at once. */
  CrowdResult crowd(int count, String target) {
    return crowd(Collections.nCopies(count, Visit.get(target)));
  }

  CrowdResult crowd(List<Visit> visits) {
    return Crowd.send(port(), visits, PATIENCE);
  }

  CompletableFuture<CrowdResult> crowdBeside(int count, String target) {
    return beside(() -> crowd(count, target));
  }

  /** Runs it on a thread of its own. */
  static <T> CompletableFuture<T> beside(Supplier<T> run) {
    return CompletableFuture.supplyAsync(run, task -> startThread("beside", task));
  }

  private static void startThread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  static long millisSince(long beganNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
  }

  /** Purges what one selector names; returns the status of the answer. */
  int purge(String selector, String value) {
    try (var admin = RawClient.connect(sluice.adminPort(), PATIENCE)) {
      String head =
          "POST /purge?%s=%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
              + "Content-Length: 0\r\n\r\n";
      return admin.send(head.formatted(selector, value, TOKEN)).readAll().status();
    }
  }

  // What came.

  /** How many got the whole body that the origin has for this path. */
  static long whole(CrowdResult crowd, String path, int bytes) {
    CRC32 expected = new CRC32();
    expected.update(Bodies.expected(path, bytes));
    return crowd.visits().stream()
        .filter(visit -> visit.outcome() == VisitOutcome.COMPLETE)
        .filter(visit -> visit.bodyBytes() == bytes && visit.bodyCrc32() == expected.getValue())
        .count();
  }

  /** How many were told this word by {@code X-Sluice}. */
  static long told(CrowdResult crowd, String word) {
    return crowd.byHeader("x-sluice").getOrDefault(word, 0L);
  }

  // Waiting.

  /** Waits until the origin's counts say so; fails loudly when they never do. */
  void awaitOrigin(String what, Predicate<OriginStats> condition) {
    await(what, () -> condition.test(counted()));
  }

  /** Waits until so many requests wait for a render's permit. */
  void awaitWaiting(int count) {
    String line = "sluice_queue_waiting{permit=\"render\"} " + count + ".0";
    await(line, () -> sluice.metrics().contains(line));
  }

  /** Waits until so much time has passed since then: an answer's lifetime, say. */
  static void awaitAge(long sinceNanos, Duration age) {
    await("passing of " + age, () -> System.nanoTime() - sinceNanos > age.toNanos());
  }

  /** Gives Sluice another configuration and waits until it is in force. */
  void reload(ShopFile file) {
    long before = generation();
    sluice.reload(file.text(origin.port()));
    await("new generation", () -> generation() > before);
  }

  /** Waits until so many clients' requests are under way. */
  void awaitExchanges(int count) {
    await(count + " requests under way", () -> told(EXCHANGES) == count);
  }

  private long generation() {
    return told(GENERATION);
  }

  private long told(Pattern figure) {
    String status = sluice.status();
    Matcher found = figure.matcher(status);
    if (!found.find()) {
      throw new AssertionError("no " + figure + ": " + status);
    }
    return Long.parseLong(found.group(1));
  }

  /** Waits until it is so; fails loudly when it never is. */
  static void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (!condition.getAsBoolean()) {
      deadline.check(what);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
  }
}
