package dev.sluice.governor.reuse;

import dev.sluice.governor.classify.Route;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.RequestHead;
import dev.sluice.outcome.BypassReason;
import org.jspecify.annotations.Nullable;

/** Whether a request may be answered with an answer that others get, too. Immutable. */
public sealed interface Selection {

  /** It may not: it goes to the origin whole and by itself. */
  record Alone(BypassReason reason) implements Selection {}

  /**
   * It may: whoever has an equal key is served alike.
   *
   * @param primaryLength octets of the key in front of what responses were seen to vary by
   * @param route whose policy made the key
   * @param head the request itself
   */
  record Keyed(CacheKey key, int primaryLength, Route route, RequestHead head)
      implements Selection {

    private static final long PRECONDITIONS =
        FieldName.setOf(FieldName.IF_MATCH, FieldName.IF_UNMODIFIED_SINCE);
    private static final long CONDITIONS =
        FieldName.setOf(FieldName.IF_NONE_MATCH, FieldName.IF_MODIFIED_SINCE);

    /** The key without the second level: what variants of one resource have in common. */
    public CacheKey primary() {
      return primaryLength == key.length() ? key : new CacheKey(key.bytes(), primaryLength);
    }

    /** Whether the head alone is asked for; it follows a GET's answer and never leads one. */
    public boolean isHead() {
      return head.isHead();
    }

    /** Whether a part is asked for (RFC 9110 14.2: of a GET only). */
    public boolean hasRange() {
      return !head.isHead() && head.headers().has(FieldName.RANGE);
    }

    /** Whether the client has an answer already, so that 304 may be enough. */
    public boolean hasCondition() {
      return hasAny(CONDITIONS);
    }

    /** Whether the client wants a complete answer only under If-Match or If-Unmodified-Since. */
    public boolean hasPrecondition() {
      return hasAny(PRECONDITIONS);
    }

    /** Whether the flight goes out as its lead's request came. */
    public boolean isWhole() {
      return route.share().key().whole();
    }

    /** Why the request goes alone if no complete stored answer serves it; null = it may share. */
    public @Nullable BypassReason aloneUnlessStored() {
      if (hasRange()) {
        return BypassReason.RANGE;
      }
      return hasPrecondition() ? BypassReason.CONDITION : null;
    }

    private boolean hasAny(long names) {
      Headers headers = head.headers();
      return (headers.present() & names) != 0;
    }
  }
}
