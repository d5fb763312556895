package dev.sluice.governor.fetch;

import dev.sluice.flow.Body;
import dev.sluice.governor.classify.RequestClass;
import dev.sluice.wire.RequestOut;
import org.jspecify.annotations.Nullable;

/**
 * What a flight asks, and on whose behalf. Immutable.
 *
 * @param body that is sent on, or null
 * @param request what kind of request it is
 * @param client the address of who asked first; empty = nobody did
 */
public record Asking(RequestOut out, @Nullable Body body, RequestClass request, String client) {

  /** Whether it may be asked again whatever became of it: safe, and nothing of it is used up. */
  boolean isRepeatable() {
    return out.head().isSafe() && isWhole();
  }

  /** Whether nobody has taken anything of its body yet. */
  boolean isWhole() {
    return body == null || !body.isFollowed();
  }
}
