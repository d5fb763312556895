package dev.sluice.scenarios.simulation;

import static io.gatling.javaapi.core.CoreDsl.bodyBytes;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/**
 * Keeps what every client saw, and writes it when the simulation is over. Thread-safe.
 *
 * <p>Gatling's own log is for its report; claims are judged by these samples, because they hold the
 * fields that tell one answer from another.
 */
final class Recorder {

  private static final int BOUND = 500_000;
  private static final String BEGAN = "began";
  private static final String BEGAN_NANOS = "beganNanos";
  private static final String STATUS = "status";
  private static final String BODY = "body";
  private static final List<String> FIELDS =
      List.of("X-Sluice", "X-Render", "X-Origin", "Set-Cookie", "Content-Type", "Retry-After");

  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final AtomicInteger kept = new AtomicInteger();

  /**
   * The request, recorded; {@code expected} are the statuses that Gatling's report counts as
   * successes. The session holds {@code target}.
   */
  ChainBuilder record(String kind, HttpRequestActionBuilder request, Integer... expected) {
    HttpRequestActionBuilder checked =
        request.check(status().saveAs(STATUS)).check(bodyBytes().saveAs(BODY));
    for (String field : FIELDS) {
      checked = checked.check(header(field).optional().saveAs(field));
    }
    return exec(Recorder::began)
        .exec(checked.check(status().in(expected)))
        .exec(session -> ended(kind, session));
  }

  private static Session began(Session session) {
    return session
        .removeAll(FIELDS.toArray(String[]::new))
        .removeAll(STATUS, BODY)
        .set(BEGAN, System.currentTimeMillis())
        .set(BEGAN_NANOS, System.nanoTime());
  }

  private Session ended(String kind, Session session) {
    long took = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - session.getLong(BEGAN_NANOS));
    byte[] body = session.contains(BODY) ? session.<byte[]>get(BODY) : new byte[0];
    CRC32 crc = new CRC32();
    crc.update(body);
    add(
        new Sample(
            kind,
            session.contains("target") ? text(session, "target") : "",
            session.getLong(BEGAN),
            took,
            session.contains(STATUS) ? session.getInt(STATUS) : 0,
            body.length,
            crc.getValue(),
            text(session, "X-Sluice"),
            text(session, "X-Render"),
            text(session, "X-Origin"),
            text(session, "Set-Cookie"),
            text(session, "Content-Type"),
            text(session, "Retry-After")));
    return session.markAsSucceeded();
  }

  /** Keeps what a client that is not Gatling's saw. */
  void add(Sample sample) {
    if (kept.incrementAndGet() > BOUND) {
      throw new IllegalStateException("samples: more than " + BOUND);
    }
    samples.add(sample);
  }

  private static String text(Session session, String name) {
    String text = session.contains(name) ? session.getString(name) : "";
    return text == null ? "" : text.replaceAll("[\\t\\r\\n]", " ");
  }

  /** An arrival that asked for nothing, because no client was free. */
  Session dropped(String kind, Session session) {
    add(new Sample(kind, "", System.currentTimeMillis(), 0, 0, 0, 0, "", "", "", "", "", ""));
    return session;
  }

  /** Writes all samples, one a line. */
  void write(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, samples.stream().map(Sample::toLine).toList());
    } catch (IOException e) {
      throw new UncheckedIOException("samples in " + file, e);
    }
  }
}
