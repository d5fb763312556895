package dev.sluice.governor.judge;

import dev.sluice.governor.classify.SharePolicy;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;

/** Judges an origin's answer. Pure: no clock, no state. */
public final class Judge {

  private static final String EVENT_STREAM = "text/event-stream";

  private Judge() {}

  /** What an attempt's end means, by whether its head had come. */
  public static Verdict ofEnd(Cause cause, boolean headCame) {
    if (cause == Cause.COMPLETE) {
      return Verdict.Done.INSTANCE;
    }
    return headCame ? new Verdict.Cut(cause) : new Verdict.Fail(cause);
  }

  /**
   * Whether another attempt may follow one that ended so without an answer: it is over and was not
   * worked on, or is safe to repeat; never one that we gave up on ourselves (DEC-29).
   */
  public static boolean mayFollow(Cause cause) {
    return switch (cause) {
      case DNS_ERROR, CONNECTION_REFUSED, CONNECTION_TERMINATED, ORIGIN_STRANGER -> true;
      default -> false;
    };
  }

  /**
   * Whether another attempt may follow this answer: the upstream says that it could not serve, and
   * not when to come back (RFC 9110 10.2.3).
   */
  public static boolean mayFollow(ResponseHead head) {
    return isRefusal(head) && !head.headers().has(FieldName.RETRY_AFTER);
  }

  /**
   * Whether a file of a build's output was asked for where another build runs: while one build
   * follows another, the next upstream may have it (N10).
   */
  public static boolean isOfAnotherBuild(RequestHead asked, ResponseHead head) {
    return head.status() == Statuses.NOT_FOUND
        && asked.method().equals("GET")
        && asked.target().path().contains(Barriers.BUILD_OUTPUT);
  }

  /** Whether it is a stream of events, which has no end to wait for. */
  public static boolean isEventStream(ResponseHead head) {
    String type = head.headers().first(FieldName.CONTENT_TYPE);
    return type != null && type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
  }

  /** Whether it says that nothing was served: 502, 503 or 504. */
  public static boolean isRefusal(ResponseHead head) {
    int status = head.status();
    return status == 502 || status == 503 || status == 504;
  }

  /** Whether the upstream itself failed, so that an answer that it gave before is better. */
  public static boolean isFailure(ResponseHead head) {
    return head.status() >= 500;
  }

  /**
   * Whether the origin may go on working on an attempt that ended so: it had the whole request, and
   * we left it before its observed end, so its permit is held a while longer (DEC-29). An upload
   * that broke off never became a request to work on.
   */
  public static boolean mayRenderOn(Cause cause) {
    return switch (cause) {
      case ORIGIN_RESPONSE_TIMEOUT, ORIGIN_READ_TIMEOUT, CLOSED_ON_ABORT, FINISH_LIMIT -> true;
      default -> false;
    };
  }

  /**
   * Who may have an answer: first what no setting reaches past, then the origin's word and what the
   * route makes of it.
   *
   * @param policy what the route permits
   * @param receivedMillis since 1970, when the head came
   */
  public static Sharing share(
      Asked asked, ResponseHead head, SharePolicy policy, long receivedMillis) {
    if (!policy.isOn()) {
      return new Sharing.Alone(BypassReason.REUSE_OFF);
    }
    OriginWord word = OriginWord.of(head, receivedMillis);
    BypassReason barrier = Barriers.standing(asked, head, policy, word);
    return barrier == null
        ? new Terms(asked, head, policy, word).sharing()
        : new Sharing.Alone(barrier);
  }

  /**
   * What a 304 makes of the stored answer that was asked about (RFC 9111 4.3.4).
   *
   * @param stored the stored answer's fields
   * @param notModified the 304's
   */
  public static Freshening freshened(Headers stored, Headers notModified) {
    return Freshener.merge(stored, notModified);
  }
}
