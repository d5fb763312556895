package dev.sluice.scenarios;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a fixed number of requests for heavy pages in flight until it is closed: each answer is
 * followed at once by the next request. Thread-safe.
 */
final class SteadyCrowd implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;
  private final AtomicInteger asked = new AtomicInteger();
  private final Map<String, Integer> outcomes = new ConcurrentHashMap<>();
  private final CompletableFuture<@Nullable Void> firstAnswer = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> dispersed = new CompletableFuture<>();
  private final AtomicInteger members;
  private volatile boolean closing;

  private SteadyCrowd(URI base, int size) {
    this.base = base;
    this.members = new AtomicInteger(size);
  }

  /** Sends the first {@code size} requests; they are distinct pages, so none could be shared. */
  static SteadyCrowd gather(URI base, int size) {
    SteadyCrowd crowd = new SteadyCrowd(base, size);
    for (int member = 0; member < size; member++) {
      crowd.ask();
    }
    return crowd;
  }

  /** Waits until one page was answered, so that the origin is known to be at work. */
  void awaitFirstAnswer() {
    firstAnswer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /**
   * Sends no more, waits for what is under way, and tells how often each status, or each kind of
   * failure, was seen.
   */
  Map<String, Integer> disperse() {
    closing = true;
    dispersed.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    return new TreeMap<>(outcomes);
  }

  @Override
  public void close() {
    disperse();
  }

  private void ask() {
    URI page = base.resolve("/heavy/" + asked.incrementAndGet());
    HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
    client.sendAsync(request, BodyHandlers.ofByteArray()).whenComplete(this::answered);
  }

  private void answered(@Nullable HttpResponse<byte[]> response, @Nullable Throwable failure) {
    String outcome =
        response != null ? Integer.toString(response.statusCode()) : String.valueOf(failure);
    outcomes.merge(outcome, 1, Integer::sum);
    firstAnswer.complete(null);
    if (!closing && response != null) {
      ask();
    } else if (members.decrementAndGet() == 0) {
      dispersed.complete(null);
    }
  }
}
