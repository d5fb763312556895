package dev.sluice.soak;

import dev.sluice.fixture.RawResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One request of the mix and what its answer must be. Immutable; the arrays are not written to.
 *
 * @param kind for the counts
 * @param request every byte of it
 * @param expected the whole body of a 200
 * @param failure how the origin will break off, as {@code fail=} says; "" = it does not
 * @param stepBytes how much a slow reader reads at once; 0 = all there is
 */
record Ask(Kind kind, byte[] request, byte[] expected, String failure, int stepBytes) {

  /** What kinds of requests there are. */
  enum Kind {
    PAGE,
    CHUNKED,
    EVENTS,
    UPLOAD,
    CHUNKED_UPLOAD,
    SLOW_READER;

    boolean isUpload() {
      return this == UPLOAD || this == CHUNKED_UPLOAD;
    }
  }

  /** What may come of a request whose client stays. */
  enum Answer {
    WHOLE,
    SHED,
    /** The origin broke off, and the client could tell. */
    FAILED,
    /** A pooled connection died under a request that must not be sent twice. */
    UNREPEATABLE,
    WRONG
  }

  /** What a whole response is. */
  Answer judge(RawResponse response) {
    return judge(response.status(), response.body());
  }

  Answer judge(int status, byte[] body) {
    return switch (status) {
      case 200 -> whole(body);
      case 503 -> Answer.SHED;
      case 502 -> broken(kind.isUpload() ? Answer.UNREPEATABLE : Answer.WRONG);
      case 504 -> broken(Answer.WRONG);
      case 413 -> failure.equals("early") ? Answer.FAILED : Answer.WRONG;
      default -> Answer.WRONG;
    };
  }

  /** What a response is that ended before its time, or never began. */
  Answer judgeBroken() {
    return broken(Answer.WRONG);
  }

  private Answer broken(Answer otherwise) {
    return failure.isEmpty() ? otherwise : Answer.FAILED;
  }

  private Answer whole(byte[] body) {
    // The bytes beyond an answer's length are none of it; all other failures spoil the answer.
    boolean mayBeWhole = failure.isEmpty() || failure.equals("long");
    return mayBeWhole && Arrays.equals(body, expected) ? Answer.WHOLE : Answer.WRONG;
  }

  String line() {
    String text =
        new String(request, 0, Math.min(request.length, 300), StandardCharsets.ISO_8859_1);
    return text.substring(0, text.indexOf("\r\n"));
  }
}
