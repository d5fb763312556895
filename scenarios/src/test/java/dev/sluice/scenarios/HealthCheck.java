package dev.sluice.scenarios;

import dev.sluice.time.Ticker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asks {@code /healthz} at a fixed rate, whether or not the answers before have come, so that a
 * slow answer hides no other. Confined to the test's thread.
 */
final class HealthCheck {

  /** An answer that has not come by then counts as having taken so long. */
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  /** One answer; {@code said} is status and body, or the failure. */
  record Answer(Duration took, String said) {}

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Ticker ticker = Ticker.system();
  private final HttpRequest request;

  HealthCheck(URI base) {
    request = HttpRequest.newBuilder(base.resolve("/healthz")).timeout(PATIENCE).build();
  }

  /** Asks {@code times} times, once {@code every} so often, and waits for all the answers. */
  List<Answer> ask(int times, Duration every) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    ScheduledExecutorService metronome = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int beat = 0; beat < times; beat++) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        answers.add(answer);
        long afterNanos = every.multipliedBy(beat).toNanos();
        metronome.schedule(() -> askOnce(answer), afterNanos, TimeUnit.NANOSECONDS);
      }
      return answers.stream().map(CompletableFuture::join).toList();
    } finally {
      metronome.shutdown();
    }
  }

  private void askOnce(CompletableFuture<Answer> answer) {
    long askedNanos = ticker.nanos();
    client
        .sendAsync(request, BodyHandlers.ofString())
        .handle(
            (response, failure) ->
                failure == null
                    ? response.statusCode() + " " + response.body()
                    : String.valueOf(failure))
        .thenAccept(
            said ->
                answer.complete(new Answer(Duration.ofNanos(ticker.nanos() - askedNanos), said)));
  }
}
