package dev.sluice.governor.deliver;

import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.FieldName;
import dev.sluice.http.HopByHop;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Reuse;
import dev.sluice.wire.ClientStream;
import dev.sluice.wire.ResponseOut;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives clients the origin's answers and stored ones, without what is not theirs. Immutable. */
public final class Delivery {

  /** The answer keeps the age that it came with. */
  public static final long AGE_UNTOLD = -1;

  private static final long SECOND = 1000;
  private static final byte[] PERSONAL =
      "Cache-Control: private, no-store\r\n".getBytes(StandardCharsets.US_ASCII);

  /** What tells caches how long to keep an answer. */
  private static final long CACHING =
      FieldName.setOf(
          FieldName.CACHE_CONTROL,
          FieldName.CDN_CACHE_CONTROL,
          FieldName.EXPIRES,
          FieldName.SURROGATE_CONTROL);

  private final NameSet unexposed;
  private final JourneyLines journey;

  /**
   * @param unexposed response fields that are between the origin and us (DEC-12)
   */
  public Delivery(NameSet unexposed, JourneyLines journey) {
    this.unexposed = unexposed;
    this.journey = journey;
  }

  /** Response fields that no client gets. */
  public NameSet unexposed() {
    return unexposed;
  }

  /**
   * The head of an answer whose body is under way.
   *
   * @param ageMillis its age, or {@link #AGE_UNTOLD}
   * @param attempts that it took
   */
  public ResponseOut of(
      ResponseHead head, Reuse how, @Nullable BypassReason reason, long ageMillis, int attempts) {
    byte[] lines = journey.of(how, reason, attempts);
    boolean untold = ageMillis == AGE_UNTOLD;
    return new ResponseOut(
        head,
        untold ? HopByHop.FIELDS : HopByHop.FIELDS | FieldName.AGE.bit(),
        HopByHop.connectionNames(head.headers()),
        unexposed,
        untold ? lines : withAge(lines, ageMillis));
  }

  /**
   * The head of a draft, which nobody on its way to the editor is to keep either (field case N05).
   */
  public ResponseOut ofDraft(ResponseHead head, @Nullable BypassReason reason, int attempts) {
    return new ResponseOut(
        head,
        HopByHop.FIELDS | CACHING,
        HopByHop.connectionNames(head.headers()),
        unexposed,
        joined(PERSONAL, journey.of(Reuse.BYPASS, reason, attempts)));
  }

  /**
   * Answers with a stored answer, or with as much of it as {@code request} asks for; returns the
   * status. The answer stays pinned until the exchange has ended.
   */
  public int serve(
      ClientStream stream, RequestHead request, StoredResponse entry, Reuse how, long ageMillis) {
    byte[] lines = journey.of(how, null);
    StoredReply reply =
        StoredReply.of(
            request, entry.plainHead(), entry.body().length(), entry.received().epochMillis());
    if (reply instanceof StoredReply.NotModified notModified) {
      return respond(stream, notModified.head(), withAge(lines, ageMillis));
    }
    if (reply instanceof StoredReply.Refused refused) {
      return respond(stream, refused.head(), lines);
    }
    if (reply instanceof StoredReply.Part part) {
      stream.respond(
          out(part.head(), withAge(lines, ageMillis)),
          entry.body().part((int) part.from(), (int) part.length()));
      return part.head().status();
    }
    stream.respond(entry.encodedHead(), ageMillis / SECOND, lines, entry.body());
    return entry.plainHead().status();
  }

  private static int respond(ClientStream stream, ResponseHead head, byte[] lines) {
    stream.respond(out(head, lines), dev.sluice.flow.ReadableBody.NONE);
    return head.status();
  }

  /** A stored head has lost already what no client gets. */
  private static ResponseOut out(ResponseHead head, byte[] lines) {
    return new ResponseOut(head, 0, List.of(), NameSet.EMPTY, lines);
  }

  private static byte[] withAge(byte[] lines, long ageMillis) {
    byte[] age = ("Age: " + ageMillis / SECOND + "\r\n").getBytes(StandardCharsets.US_ASCII);
    return joined(age, lines);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
