package dev.sluice.scenarios;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An answer of a page written without time or randomness, to be compared byte for byte. Immutable.
 *
 * @param body one character for each byte
 */
record PlainAnswer(int status, String type, String body) {

  private static final Pattern SCRIPT = Pattern.compile("/_next/static/[^\"]+\\.js");

  /** What is asked for: a document, or with {@code rsc} the router's payload of it. */
  record Question(String target, boolean rsc) {}

  /**
   * Every kind of answer that does not change. The router's payload is that of a prerendered page:
   * Next.js writes a random id into each payload that it renders anew.
   */
  static List<Question> questions(HttpClient client, URI base)
      throws IOException, InterruptedException {
    Matcher script = SCRIPT.matcher(get(client, base, new Question("/plain-app", false)).body());
    if (!script.find()) {
      throw new AssertionError("/plain-app names no script (expected: " + SCRIPT + ")");
    }
    return List.of(
        new Question("/plain-app", false),
        new Question("/plain-stream", false),
        new Question("/plain-pages", false),
        new Question("/about", false),
        new Question("/about?_rsc", true),
        new Question("/heavy/7", false),
        new Question("/api/price?id=3", false),
        new Question("/img/hero.png", false),
        new Question(script.group(), false));
  }

  static PlainAnswer get(HttpClient client, URI base, Question question)
      throws IOException, InterruptedException {
    return of(client.send(request(base, question), BodyHandlers.ofByteArray()));
  }

  /** Asks for the same {@code count} times at once. */
  static List<PlainAnswer> copies(HttpClient client, URI base, Question question, int count) {
    HttpRequest request = request(base, question);
    List<CompletableFuture<PlainAnswer>> asked =
        Stream.generate(() -> client.sendAsync(request, BodyHandlers.ofByteArray()))
            .limit(count)
            .map(answer -> answer.thenApply(PlainAnswer::of))
            .toList();
    return asked.stream().map(CompletableFuture::join).toList();
  }

  private static HttpRequest request(URI base, Question question) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(question.target()));
    return (question.rsc() ? request.header("rsc", "1") : request).build();
  }

  private static PlainAnswer of(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("Content-Type").orElse("none");
    String body = new String(response.body(), StandardCharsets.ISO_8859_1);
    return new PlainAnswer(response.statusCode(), type, body);
  }

  @Override
  public String toString() {
    return status + " " + type + ", " + body.length() + " bytes, hash " + body.hashCode();
  }
}
