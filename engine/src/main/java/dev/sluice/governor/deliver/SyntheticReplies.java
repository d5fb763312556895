package dev.sluice.governor.deliver;

import dev.sluice.governor.classify.Audience;
import dev.sluice.http.FieldList;
import dev.sluice.outcome.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Writes our own answers: refusals, sheds, and what is said when the origin says nothing (DEC-06,
 * DEC-46). As thread-safe as its random source.
 *
 * <p>Proxy-Status (RFC 9209) and X-Sluice go out with {@code debug_headers} only, as on every other
 * answer (PRX-34).
 */
public final class SyntheticReplies {

  private static final byte[] NOTHING = {};

  /** RFC 9110 15.5.6 wants the methods listed; any other token is served as unknown, too. */
  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

  /** A page of ours needs its own style and nothing else; no answer of ours belongs in a frame. */
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

  private final DeliverSettings settings;
  private final BusyPage busyPage;
  private final RandomGenerator random;

  public SyntheticReplies(DeliverSettings settings, BusyPage busyPage, RandomGenerator random) {
    this.settings = settings;
    this.busyPage = busyPage;
    this.random = random;
  }

  /** The answer for {@code cause}, where the origin was not asked more than once. */
  public SyntheticReply forCause(
      Cause cause, Audience audience, boolean head, long predictedWaitNanos) {
    return forCause(cause, audience, head, predictedWaitNanos, 1);
  }

  /**
   * The answer for {@code cause}.
   *
   * @param audience who reads it; {@link Audience#PLAIN} where the request was never classified
   * @param head whether HEAD was asked: the fields of the answer without its body
   * @param predictedWaitNanos what admission expects; 0 where it expects nothing
   * @param attempts at the origin that came to nothing
   */
  public SyntheticReply forCause(
      Cause cause, Audience audience, boolean head, long predictedWaitNanos, int attempts) {
    if (cause.isShed() && audience == Audience.PREFETCH) {
      // DEC-16: the framework drops an empty answer and asks again when somebody navigates.
      return new SyntheticReply(204, finished(new ArrayList<>(6), cause, attempts), NOTHING);
    }
    int status = status(cause);
    var lines = new ArrayList<String>(20);
    if (cause.isShed() || status == 503) {
      add(lines, "Retry-After", seconds(settings.retryAfter(), predictedWaitNanos));
    }
    if (status == 405) {
      add(lines, "Allow", METHODS);
    }
    boolean busy = cause.isShed() && audience == Audience.NAVIGATION && settings.busyPageEnabled();
    byte[] body =
        busy ? busyPage(lines, predictedWaitNanos) : errorBody(lines, status, cause, audience);
    add(lines, "Content-Length", Integer.toString(body.length));
    return new SyntheticReply(status, finished(lines, cause, attempts), head ? NOTHING : body);
  }

  /**
   * The answer to one who shared a request that the origin answered with an error: its status and
   * nothing else of it (DEC-35).
   */
  public SyntheticReply forOriginStatus(int status, Audience audience, boolean head) {
    var lines = new ArrayList<String>(16);
    byte[] body = errorBody(lines, status, Cause.ORIGIN_ERROR, audience);
    add(lines, "Content-Length", Integer.toString(body.length));
    add(lines, "Cache-Control", "no-store");
    add(lines, "X-Content-Type-Options", "nosniff");
    if (settings.debugHeaders()) {
      add(lines, "X-Sluice", "ERROR");
      add(lines, "Proxy-Status", "sluice; received-status=" + status);
    }
    return new SyntheticReply(
        status, FieldList.of(lines.toArray(new String[0])), head ? NOTHING : body);
  }

  /** The answer to {@code OPTIONS *} (RFC 9110 9.3.7). */
  public SyntheticReply forOptions() {
    return new SyntheticReply(
        204, FieldList.of("Allow", METHODS, "Cache-Control", "no-store"), NOTHING);
  }

  private int status(Cause cause) {
    int status = cause.isShed() ? settings.status() : cause.status();
    if (status == 0) {
      throw new IllegalArgumentException("cause: " + cause + " (expected: one with a status)");
    }
    return status;
  }

  private byte[] busyPage(List<String> lines, long predictedWaitNanos) {
    int seconds = RetrySeconds.draw(settings.busyPageRefresh(), predictedWaitNanos, random);
    add(lines, "Refresh", Integer.toString(seconds));
    add(lines, "Content-Type", ErrorBody.type(Audience.NAVIGATION));
    if (busyPage.isBuiltIn()) {
      add(lines, "Content-Security-Policy", POLICY);
    }
    return busyPage.rendering(seconds);
  }

  private static byte[] errorBody(List<String> lines, int status, Cause cause, Audience audience) {
    add(lines, "Content-Type", ErrorBody.type(audience));
    if (audience == Audience.NAVIGATION) {
      add(lines, "Content-Security-Policy", POLICY);
    }
    return ErrorBody.of(audience, status, cause);
  }

  private FieldList finished(List<String> lines, Cause cause, int attempts) {
    add(lines, "Cache-Control", "no-store");
    add(lines, "X-Content-Type-Options", "nosniff");
    if (settings.debugHeaders()) {
      add(lines, "X-Sluice", cause.isShed() ? "SHED" : "ERROR");
      if (cause.proxyError() != null) {
        // RFC 9209 2: the member is who reports, details is a string of ours.
        String made = attempts > 1 ? "; attempts=" + attempts : "";
        String details = "; details=\"" + cause.code() + "\"" + made;
        add(lines, "Proxy-Status", "sluice; error=" + cause.proxyError() + details);
      }
    }
    return FieldList.of(lines.toArray(new String[0]));
  }

  private String seconds(Duration setting, long predictedWaitNanos) {
    return Integer.toString(RetrySeconds.draw(setting, predictedWaitNanos, random));
  }

  private static void add(List<String> lines, String name, String value) {
    lines.add(name);
    lines.add(value);
  }
}
