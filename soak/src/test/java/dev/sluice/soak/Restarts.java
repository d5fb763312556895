package dev.sluice.soak;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.soak.Ask.Answer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One Sluice after the other, each started before the one before is told to drain and end, and
 * clients that a balancer sends to the newest. Thread-safe: the port is volatile, counts are
 * atomic.
 */
final class Restarts {

  private static final int CLIENTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(25);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);
  private static final int FAILURES_KEPT = 5;

  private final String config;
  private final Duration pause;
  private final Deadline end;
  private final AtomicInteger restarts = new AtomicInteger();
  private final AtomicLong asked = new AtomicLong();
  private final List<String> failures = new ArrayList<>();
  private volatile int port;

  /** {@code pause} lies between two restarts. */
  Restarts(String config, Duration pause, Deadline end) {
    this.config = config;
    this.pause = pause;
    this.end = end;
  }

  /** Goes on until the end, and waits for the clients. */
  void run(long seed) throws InterruptedException {
    List<Thread> clients = new ArrayList<>();
    SluiceProcess current = start();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(seed + i);
        Thread client = new Thread(() -> ask(new StoreAsks(random)), "restart-client");
        client.setDaemon(true);
        client.start();
        clients.add(client);
      }
      while (!end.isOver()) {
        LockSupport.parkNanos(pause.toNanos());
        SluiceProcess before = current;
        current = start();
        before.close();
        restarts.incrementAndGet();
      }
      for (Thread client : clients) {
        client.join(PATIENCE.toMillis());
      }
    } finally {
      current.close();
    }
  }

  private SluiceProcess start() {
    SluiceProcess next =
        SluiceProcess.start(
            SluiceProcess.jar(),
            config,
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-XX:MaxDirectMemorySize=128m");
    port = next.port();
    return next;
  }

  private void ask(StoreAsks asks) {
    while (!end.isOver()) {
      asked.incrementAndGet();
      Ask page = asks.page();
      try (RawClient client = RawClient.connect(port, PATIENCE)) {
        Answer answer = page.judge(client.send(page.request()).readAll());
        if (answer != Answer.WHOLE) {
          failed(page.line() + ": " + answer);
        }
      } catch (UncheckedIOException | AssertionError broken) {
        failed(page.line() + ": " + broken);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private synchronized void failed(String what) {
    failures.add(what);
  }

  int restarts() {
    return restarts.get();
  }

  long asked() {
    return asked.get();
  }

  synchronized int failureCount() {
    return failures.size();
  }

  /** The first of them. */
  synchronized List<String> failures() {
    return List.copyOf(failures.subList(0, Math.min(FAILURES_KEPT, failures.size())));
  }
}
