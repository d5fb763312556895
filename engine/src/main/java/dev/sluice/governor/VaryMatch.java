package dev.sluice.governor;

import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.http.RequestHead;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which of the requests that had a flight's key get its answer. Immutable. */
sealed interface VaryMatch {

  /** The answer varies by more than can be kept apart. */
  VaryMatch NOBODY = new Nobody();

  /** What the answer is filed under; null where nobody shares it. */
  @Nullable CacheKey key();

  /** Whether {@code request} gets it. On the flight's loop. */
  boolean fits(RequestHead request);

  /** All of them: the key has whatever the answer varies by. */
  record Everyone(CacheKey key) implements VaryMatch {
    @Override
    public boolean fits(RequestHead request) {
      return true;
    }
  }

  /** Those whose key is still the answer's, now that more is known of how answers vary. */
  record SameVariant(CacheKey key, Function<RequestHead, @Nullable CacheKey> keyNow)
      implements VaryMatch {
    @Override
    public boolean fits(RequestHead request) {
      return key.equals(keyNow.apply(request));
    }
  }

  /** Nobody but who asked. */
  record Nobody() implements VaryMatch {
    @Override
    public @Nullable CacheKey key() {
      return null;
    }

    @Override
    public boolean fits(RequestHead request) {
      return false;
    }
  }
}
