package dev.sluice.soak;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Purges of all kinds, one after the other, through the admin listener. Confined to one thread. */
final class Purges {

  static final String TOKEN = "soak-token-of-24-characters";

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final int adminPort;
  private final Random random;

  Purges(int adminPort, Random random) {
    this.adminPort = adminPort;
    this.random = random;
  }

  /** Goes on until {@code end}; returns how many there were. */
  int until(Deadline end) {
    int count = 0;
    while (!end.isOver()) {
      purge(selector() + (random.nextBoolean() ? "&soft=1" : ""));
      count++;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return count;
  }

  /** Everything goes. */
  void all() {
    purge("prefix=/");
  }

  void path(String path) {
    purge("path=" + path);
  }

  /** Mostly one popular page, sometimes a sixtieth or a tenth of all. */
  private String selector() {
    int dice = random.nextInt(20);
    if (dice == 0) {
      return "prefix=/page/" + (1 + random.nextInt(9));
    }
    return dice == 1
        ? "tag=t" + random.nextInt(StoreAsks.TAGS)
        : "path=" + StoreAsks.path(random.nextInt(StoreAsks.PAGES / 20));
  }

  private void purge(String query) {
    try (RawClient client = RawClient.connect(adminPort)) {
      RawResponse answer =
          client
              .send(
                  "POST /purge?"
                      + query
                      + " HTTP/1.1\r\nHost: admin\r\nAuthorization: Bearer "
                      + TOKEN
                      + "\r\nContent-Length: 0\r\n\r\n")
              .readAll();
      if (answer.status() != 200) {
        throw new AssertionError("purge of " + query + ": " + answer.head() + answer.text());
      }
    }
  }
}
