package dev.sluice.governor.deliver;

import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.StatusPhrase;
import dev.sluice.http.caching.ByteRange;
import dev.sluice.http.caching.Preconditions;
import java.util.ArrayList;
import java.util.List;

/** What of a complete answer one request gets (RFC 9110 13 and 14): exactly one of four. */
public sealed interface StoredReply {

  /** All of it; to HEAD, its head. */
  record Whole() implements StoredReply {
    public static final Whole INSTANCE = new Whole();
  }

  /** Nothing new: a 304 (RFC 9110 15.4.5). */
  record NotModified(ResponseHead head) implements StoredReply {}

  /** One part: a 206. */
  record Part(ResponseHead head, long from, long length) implements StoredReply {}

  /** Not what was asked for: a 412 or 416, without a body. */
  record Refused(ResponseHead head) implements StoredReply {}

  /** What a 304 tells of the fields that the whole answer has. */
  long TOLD_BY_304 =
      FieldName.setOf(
          FieldName.CACHE_CONTROL,
          FieldName.CDN_CACHE_CONTROL,
          FieldName.DATE,
          FieldName.ETAG,
          FieldName.EXPIRES,
          FieldName.LAST_MODIFIED,
          FieldName.VARY);

  /** What asks for less than the whole. */
  long CONDITIONS =
      FieldName.setOf(
          FieldName.IF_MATCH,
          FieldName.IF_MODIFIED_SINCE,
          FieldName.IF_NONE_MATCH,
          FieldName.IF_RANGE,
          FieldName.IF_UNMODIFIED_SINCE,
          FieldName.RANGE);

  /**
   * What {@code request} gets of the answer {@code stored}.
   *
   * @param length of its body, in bytes
   * @param receivedMillis when it came, since 1970
   */
  static StoredReply of(
      RequestHead request, ResponseHead stored, long length, long receivedMillis) {
    Headers asked = request.headers();
    if ((asked.present() & CONDITIONS) == 0) {
      return Whole.INSTANCE;
    }
    return switch (Preconditions.of(asked, stored.status(), stored.headers(), receivedMillis)) {
      case NOT_MODIFIED -> new NotModified(notModified(stored));
      case FAILED -> new Refused(empty(412, FieldList.EMPTY));
      case PROCEED -> ranged(request, stored, length, receivedMillis);
    };
  }

  /**
   * What {@code request} gets of an answer whose body is still under way: ranges are not served of
   * it, but a client that has it already is told so.
   */
  static StoredReply ofUnderway(RequestHead request, ResponseHead head, long receivedMillis) {
    Headers asked = request.headers();
    boolean unconditional = (asked.present() & CONDITIONS) == 0;
    return !unconditional
            && Preconditions.of(asked, head.status(), head.headers(), receivedMillis)
                == Preconditions.NOT_MODIFIED
        ? new NotModified(notModified(head))
        : Whole.INSTANCE;
  }

  private static StoredReply ranged(
      RequestHead request, ResponseHead stored, long length, long receivedMillis) {
    if (stored.status() != 200 || !request.method().equals("GET")) {
      return Whole.INSTANCE;
    }
    Headers asked = request.headers();
    boolean stillMeant = ByteRange.ifRangeHolds(asked, stored.headers(), receivedMillis);
    ByteRange range = stillMeant ? ByteRange.of(asked, length) : new ByteRange.Ignored();
    if (range instanceof ByteRange.One one) {
      return new Part(part(stored, one, length), one.from(), one.length());
    }
    // RFC 9110 14.2: a server may ignore Range; several parts in one answer help nobody here.
    return range instanceof ByteRange.Unsatisfiable
        ? new Refused(empty(416, FieldList.of("Content-Range", "bytes */" + length)))
        : Whole.INSTANCE;
  }

  /** The 304 that stands for {@code whole}. */
  static ResponseHead notModified(ResponseHead whole) {
    List<String> told = new ArrayList<>();
    Headers fields = whole.headers();
    for (int i = 0; i < fields.size(); i++) {
      FieldName known = fields.known(i);
      boolean isTold =
          known == null
              ? fields.name(i).equalsIgnoreCase("content-location")
              : (known.bit() & TOLD_BY_304) != 0;
      if (isTold) {
        told.add(fields.name(i));
        told.add(fields.value(i));
      }
    }
    return empty(304, FieldList.of(told.toArray(new String[0])));
  }

  private static ResponseHead part(ResponseHead stored, ByteRange.One one, long length) {
    List<String> lines = new ArrayList<>();
    Headers fields = stored.headers();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.known(i) != FieldName.CONTENT_LENGTH) {
        lines.add(fields.name(i));
        lines.add(fields.value(i));
      }
    }
    lines.add("Content-Range");
    lines.add("bytes " + one.from() + "-" + one.to() + "/" + length);
    return new ResponseHead(
        206,
        StatusPhrase.of(206),
        FieldList.of(lines.toArray(new String[0])),
        new Framing.Length(one.length()));
  }

  private static ResponseHead empty(int status, FieldList fields) {
    Framing framing = status == 304 ? Framing.None.INSTANCE : new Framing.Length(0);
    return new ResponseHead(status, StatusPhrase.of(status), fields, framing);
  }
}
