package dev.sluice.scenarios;

import dev.sluice.time.Ticker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.GZIPInputStream;

/** A reader of {@code /stream} that notes when each part of it came. Confined to one thread. */
final class StreamedPage {

  private static final String SHELL = "id=\"shell\"";
  private static final String SLOW_REGION = "id=\"slow-region\"";
  private static final int READ_BYTES = 16 * 1024;

  /**
   * When the shell and the slow region were there, from the moment the page was asked for.
   *
   * @param firstPart whether the shell was in the first bytes that came
   */
  record Arrivals(Duration shell, boolean firstPart, Duration slowRegion) {
    long aheadMillis() {
      return slowRegion.minus(shell).toMillis();
    }
  }

  private final Ticker ticker = Ticker.system();
  private final ByteArrayOutputStream page = new ByteArrayOutputStream();
  private final long askedNanos = ticker.nanos();
  private int parts;

  private StreamedPage() {}

  /** Reads the page once with the given {@code Accept-Encoding}, as the bytes come. */
  static Arrivals read(HttpClient client, URI base, String encoding)
      throws IOException, InterruptedException {
    return read(client, base, encoding, () -> {});
  }

  /** The same; {@code onShell} runs when the shell is there. */
  static Arrivals read(HttpClient client, URI base, String encoding, Runnable onShell)
      throws IOException, InterruptedException {
    StreamedPage streamed = new StreamedPage();
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve("/stream")).header("Accept-Encoding", encoding).build();
    try (InputStream body = decoded(client.send(request, BodyHandlers.ofInputStream()), encoding)) {
      Duration shell = streamed.until(SHELL, body);
      boolean firstPart = streamed.parts == 1;
      onShell.run();
      Arrivals arrivals = new Arrivals(shell, firstPart, streamed.until(SLOW_REGION, body));
      body.transferTo(OutputStream.nullOutputStream());
      return arrivals;
    }
  }

  private static InputStream decoded(HttpResponse<InputStream> response, String encoding)
      throws IOException {
    String coding = response.headers().firstValue("Content-Encoding").orElse("identity");
    if (response.statusCode() != 200 || !coding.equals(encoding)) {
      throw new AssertionError(
          response.statusCode() + " " + coding + " (expected: 200 " + encoding + ")");
    }
    return coding.equals("gzip") ? new GZIPInputStream(response.body()) : response.body();
  }

  private Duration until(String mark, InputStream body) throws IOException {
    byte[] read = new byte[READ_BYTES];
    while (!page.toString(StandardCharsets.UTF_8).contains(mark)) {
      int count = body.read(read);
      if (count < 0) {
        throw new AssertionError("the page ended without " + mark);
      }
      page.write(read, 0, count);
      parts++;
    }
    return Duration.ofNanos(ticker.nanos() - askedNanos);
  }
}
