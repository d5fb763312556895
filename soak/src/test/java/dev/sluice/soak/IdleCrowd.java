package dev.sluice.soak;

import dev.sluice.fixture.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that made one request each and stay connected without another. Confined to one thread.
 */
final class IdleCrowd implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<RawClient> clients = new ArrayList<>();

  /** Connects so many clients, one after the other; each has its answer before the next comes. */
  IdleCrowd(int port, int count) {
    try {
      for (int i = 0; i < count; i++) {
        RawClient client = RawClient.connect(port, PATIENCE);
        clients.add(client);
        ask(client, "/idle/" + i);
      }
    } catch (RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  /**
   * How many of them are still served, asking every {@code step}th: what was idle must be usable.
   */
  int servedAgain(int step) {
    int served = 0;
    for (int i = 0; i < clients.size(); i += step) {
      ask(clients.get(i), "/again/" + i);
      served++;
    }
    return served;
  }

  private static void ask(RawClient client, String path) {
    int status = client.get(path + "?bytes=512").readAll().status();
    if (status != 200) {
      throw new AssertionError(path + ": status " + status + " (expected: 200)");
    }
  }

  /** Half of them leave with RST, half with FIN. */
  void leave() {
    for (int i = 0; i < clients.size(); i++) {
      if (i % 2 == 0) {
        clients.get(i).reset();
      } else {
        clients.get(i).close();
      }
    }
  }

  @Override
  public void close() {
    clients.forEach(RawClient::close);
  }
}
