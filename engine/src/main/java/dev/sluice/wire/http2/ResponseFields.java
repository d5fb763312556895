package dev.sluice.wire.http2;

import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.NameSet;
import dev.sluice.http.ResponseHead;
import dev.sluice.wire.ResponseOut;
import java.util.List;

/**
 * An answer's head as a client gets it over HTTP/2 (RFC 9113 8.3.2), whatever it is the answer of:
 * an origin, a store, or nobody but us. Stateless; each method fills the section that it is given.
 */
final class ResponseFields {

  /** With a store's answers the length is part of what is stored. */
  private static final long OF_THE_STORE =
      SentFields.OF_THE_CONNECTION & ~FieldName.CONTENT_LENGTH.bit();

  private ResponseFields() {}

  static SentFields interim(SentFields to, ResponseHead interim) {
    return putAll(to.response(interim.status()), interim.headers(), SentFields.OF_THE_CONNECTION);
  }

  /** An origin's; {@code date}: ours, where it said none. */
  static SentFields relayed(SentFields to, ResponseOut out, byte[] date) {
    ResponseHead answer = out.head();
    long drop = SentFields.OF_THE_CONNECTION | out.drop();
    if (answer.framing() instanceof Framing.None && answer.status() != 204) {
      // RFC 9110 8.6: an answer to HEAD and a 304 may tell the length of what they stand for.
      drop &= ~FieldName.CONTENT_LENGTH.bit();
    }
    to.response(answer.status());
    to.putAll(answer.headers(), drop, out.dropNames(), out.internal());
    to.putLines(out.added());
    if (answer.framing() instanceof Framing.Length length) {
      to.put(FieldName.CONTENT_LENGTH, length.bytes());
    }
    return dated(to, answer.headers(), date);
  }

  /** A store's, {@code ageSeconds} old (RFC 9111 5.1). */
  static SentFields stored(SentFields to, EncodedHead stored, long ageSeconds, byte[] added) {
    putAll(to.response(stored.plain().status()), stored.plain().headers(), OF_THE_STORE);
    return to.put(FieldName.AGE, ageSeconds).putLines(added);
  }

  /**
   * Ours.
   *
   * @param length of the body; negative = the status has none
   */
  static SentFields own(SentFields to, int status, Headers own, int length, byte[] date) {
    putAll(to.response(status), own, SentFields.OF_THE_CONNECTION);
    if (length >= 0) {
      to.put(FieldName.CONTENT_LENGTH, length);
    }
    return dated(to, own, date);
  }

  private static SentFields dated(SentFields to, Headers fields, byte[] date) {
    return fields.has(FieldName.DATE) ? to : to.putLines(date);
  }

  private static SentFields putAll(SentFields to, Headers fields, long drop) {
    return to.putAll(fields, drop, List.of(), NameSet.EMPTY);
  }
}
