package dev.sluice.cli;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** One crowd of the demo: everybody at once, each for a page of its own. */
final class Demo {

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final String how;
  private final int port;
  private final int crowd;
  private final int renderMillis;
  private final DemoTable table;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  Demo(String how, int port, int crowd, int renderMillis, DemoTable table) {
    this.how = how;
    this.port = port;
    this.crowd = crowd;
    this.renderMillis = renderMillis;
    this.table = table;
  }

  /** What came of it. */
  record Outcome(int answered, int failed, double seconds) {}

  Outcome run() throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    long began = System.nanoTime();
    List<CompletableFuture<Void>> requests = new ArrayList<>(crowd);
    for (int i = 0; i < crowd; i++) {
      requests.add(ask(client, i));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(requests.toArray(CompletableFuture[]::new));
    long deadline = began + DemoCommand.patience(crowd, renderMillis).toNanos();
    while (!isOver(all) && System.nanoTime() - deadline < 0) {
      table.row(how, answered.get(), failed.get(), seconds(began));
    }
    table.row(how, answered.get(), failed.get(), seconds(began));
    return new Outcome(answered.get(), failed.get(), seconds(began));
  }

  private CompletableFuture<Void> ask(HttpClient client, int page) {
    URI uri = URI.create("http://127.0.0.1:" + port + "/page/" + page + "?ms=" + renderMillis);
    return client
        .sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
        .handle(
            (response, failure) -> {
              boolean fine = failure == null && response.statusCode() == 200;
              (fine ? answered : failed).incrementAndGet();
              return null;
            });
  }

  /** Waits a moment for the end. */
  private static boolean isOver(CompletableFuture<Void> all) throws InterruptedException {
    try {
      all.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException("the demo's crowd failed", e);
    }
  }

  private static double seconds(long beganNanos) {
    return (System.nanoTime() - beganNanos) / 1e9;
  }
}
