package dev.sluice.bench.origin;

import dev.sluice.fixture.RawClient;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Clients that ask page after page until they are stopped, each on a thread and a connection of its
 * own; {@code %d} in the target is the number of the request. Thread-safe.
 */
final class Load implements AutoCloseable {

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

  private final int port;
  private final String request;
  private final List<Thread> clients = new ArrayList<>();
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicLong whole = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong cutInBody = new AtomicLong();
  private volatile boolean stopped;

  private Load(int port, String request) {
    this.port = port;
    this.request = request;
  }

  /** GETs. */
  static Load on(int port, int clients, String target) {
    return start(port, clients, "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /** POSTs without a body, each of which changes something. */
  static Load posting(int port, int clients, String target) {
    String head = " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    return start(port, clients, "POST " + target + head);
  }

  private static Load start(int port, int clients, String request) {
    var load = new Load(port, request);
    for (int i = 0; i < clients; i++) {
      var thread = new Thread(load::ask, "load-" + i);
      thread.setDaemon(true);
      load.clients.add(thread);
      thread.start();
    }
    return load;
  }

  /** Whole answers of status 200. */
  long whole() {
    return whole.get();
  }

  /** Requests with another answer, or with none. */
  long lost() {
    return lost.get();
  }

  /** Answers of status 200 that were cut behind their head. */
  long cutInBody() {
    return cutInBody.get();
  }

  /** Returns once so many more were answered whole. */
  void awaitMore(long answers) {
    long goal = whole() + answers;
    Fleet.await(answers + " more answers", () -> whole() >= goal);
  }

  /** Asks no more; returns when all that is under way has ended. */
  @Override
  public void close() {
    stopped = true;
    for (Thread client : clients) {
      try {
        client.join(Fleet.PATIENCE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a load ended", e);
      }
    }
  }

  private void ask() {
    while (!stopped) {
      try (RawClient client = RawClient.connect(port, Fleet.PATIENCE)) {
        while (!stopped && askOnce(client)) {
          Thread.onSpinWait();
        }
      } catch (UncheckedIOException e) {
        // No connection: the proxy is not there. Counted, and not at full speed.
        lost.incrementAndGet();
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  /** Whether the connection can be asked again. */
  private boolean askOnce(RawClient client) {
    boolean began = false;
    try {
      String head = client.send(request.formatted(number.getAndIncrement())).readFinalHead();
      began = isOk(head);
      client.readBody(length(head));
      (began ? whole : lost).incrementAndGet();
      return true;
    } catch (UncheckedIOException | AssertionError e) {
      (began ? cutInBody : lost).incrementAndGet();
      return false;
    }
  }

  private static boolean isOk(String head) {
    Matcher status = STATUS.matcher(head);
    return status.find() && status.group(1).equals("200");
  }

  private static int length(String head) {
    Matcher length = LENGTH.matcher(head);
    return length.find() ? Integer.parseInt(length.group(1)) : 0;
  }
}
