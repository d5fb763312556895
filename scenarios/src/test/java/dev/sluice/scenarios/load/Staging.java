package dev.sluice.scenarios.load;

import dev.sluice.fixture.OriginStats;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A stack that somebody else started. Immutable.
 *
 * @param target where its Sluice listens
 * @param statsUrl where its origin tells its counters, in the slow origin's form; "" = nowhere
 */
record Staging(String target, String statsUrl) {

  private static final int TIMEOUT_MILLIS = 10_000;

  /** The one that the command line names, if it does. */
  static Optional<Staging> asked() {
    String target = System.getProperty("sluice.target", "");
    String stats = System.getProperty("sluice.origin.stats", "");
    return target.isEmpty() ? Optional.empty() : Optional.of(new Staging(target, stats));
  }

  Optional<OriginStats> stats() {
    return statsUrl.isEmpty() ? Optional.empty() : Optional.of(OriginStats.parse(read(statsUrl)));
  }

  private static String read(String url) {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try (InputStream body = connection.getInputStream()) {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("sluice.origin.stats: " + url, e);
    }
  }
}
