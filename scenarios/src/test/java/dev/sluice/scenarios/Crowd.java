package dev.sluice.scenarios;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a fixed number of requests for heavy pages in flight until it is closed: each answer is
 * followed at once by the next request. Thread-safe.
 */
final class Crowd implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;
  private final AtomicInteger asked = new AtomicInteger();
  private final Map<String, Integer> outcomes = new ConcurrentHashMap<>();
  private final CountDownLatch firstAnswer = new CountDownLatch(1);
  private final CountDownLatch membersLeft;
  private volatile boolean closing;

  private Crowd(URI base, int size) {
    this.base = base;
    this.membersLeft = new CountDownLatch(size);
  }

  /** Sends the first {@code size} requests; they are distinct pages, so none could be shared. */
  static Crowd gather(URI base, int size) {
    Crowd crowd = new Crowd(base, size);
    for (int member = 0; member < size; member++) {
      crowd.ask();
    }
    return crowd;
  }

  /** Waits until one page was answered, so that the origin is known to be at work. */
  void awaitFirstAnswer() throws InterruptedException {
    if (!firstAnswer.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("answers: 0 (expected: >= 1 within " + PATIENCE + ")");
    }
  }

  /** How often each status, or each kind of failure, was seen so far. */
  Map<String, Integer> outcomes() {
    return new TreeMap<>(outcomes);
  }

  /** Lets every request under way end, and sends none after it. */
  @Override
  public void close() throws InterruptedException {
    closing = true;
    if (!membersLeft.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("requests under way: " + membersLeft.getCount() + " (expected: 0)");
    }
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
    firstAnswer.countDown();
    if (closing || response == null) {
      membersLeft.countDown();
    } else {
      ask();
    }
  }
}
