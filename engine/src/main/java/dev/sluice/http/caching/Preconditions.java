package dev.sluice.http.caching;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;

/** What the conditions of a GET or HEAD come to against a stored answer (RFC 9110 13.2.2). */
public enum Preconditions {
  /** The answer is to be sent. */
  PROCEED,
  /** The client has it: 304. */
  NOT_MODIFIED,
  /** What the client asks for is not what there is: 412. */
  FAILED;

  /**
   * Evaluates the conditions in their order of precedence; If-Range is not among them.
   *
   * @param status of the stored answer; conditions count for a success only (RFC 9110 13.2.1)
   * @param receivedMillis since 1970, when the stored answer came
   */
  public static Preconditions of(Headers request, int status, Headers stored, long receivedMillis) {
    if (status < 200 || status > 299) {
      return PROCEED;
    }
    if (failed(request, stored, receivedMillis)) {
      return FAILED;
    }
    return notModified(request, stored, receivedMillis) ? NOT_MODIFIED : PROCEED;
  }

  private static boolean failed(Headers request, Headers stored, long receivedMillis) {
    if (request.has(FieldName.IF_MATCH)) {
      return !EntityTags.of(request, FieldName.IF_MATCH)
          .matchStrongly(stored.first(FieldName.ETAG));
    }
    long since = date(request, FieldName.IF_UNMODIFIED_SINCE, receivedMillis);
    long modified = date(stored, FieldName.LAST_MODIFIED, receivedMillis);
    return since != HttpDate.INVALID && modified != HttpDate.INVALID && modified > since;
  }

  private static boolean notModified(Headers request, Headers stored, long receivedMillis) {
    if (request.has(FieldName.IF_NONE_MATCH)) {
      return EntityTags.of(request, FieldName.IF_NONE_MATCH)
          .matchWeakly(stored.first(FieldName.ETAG));
    }
    long since = date(request, FieldName.IF_MODIFIED_SINCE, receivedMillis);
    return since != HttpDate.INVALID && modified(stored, receivedMillis) <= since;
  }

  /** RFC 9111 4.3.2: Date, then the receipt, stand in for Last-Modified. */
  private static long modified(Headers stored, long receivedMillis) {
    long modified = date(stored, FieldName.LAST_MODIFIED, receivedMillis);
    if (modified == HttpDate.INVALID) {
      modified = date(stored, FieldName.DATE, receivedMillis);
    }
    return modified == HttpDate.INVALID ? receivedMillis : modified;
  }

  /** The one valid date of {@code field}, or {@link HttpDate#INVALID}. */
  static long date(Headers headers, FieldName field, long nowMillis) {
    List<String> lines = headers.all(field);
    return lines.size() == 1 ? HttpDate.parse(lines.get(0), nowMillis) : HttpDate.INVALID;
  }
}
