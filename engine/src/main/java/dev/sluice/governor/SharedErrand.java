package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.judge.Asked;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.Selection;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.ResponseHead;
import dev.sluice.wire.RequestOut;
import org.jspecify.annotations.Nullable;

/**
 * What a flight that may be shared is to fetch: the answer under one key, or word that the stored
 * one still holds. Immutable.
 *
 * @param request what the origin is asked, built from the key (DEC-34)
 * @param asked what the judge is to know of that
 * @param stale the stored answer that is asked about, too; null where there is none
 * @param boards whether others may board
 * @param isRefresh whether nobody waits for it (DEC-40)
 */
record SharedErrand(
    Classification.Classified classified,
    Selection.Keyed selection,
    RequestOut request,
    Asked asked,
    @Nullable StoredResponse stale,
    boolean boards,
    boolean isRefresh)
    implements Errand {

  @Override
  public @Nullable Body upload() {
    return null;
  }

  CacheKey key() {
    return selection.key();
  }

  /**
   * Whether the origin was told more of the one who asked than the key has, so that an answer that
   * may not be shared is that one's and no other's (SHR-09, DEC-34).
   */
  boolean isPersonal() {
    return asked.wholeRequest() || asked.originGotCookies();
  }

  /** Who may have {@code head}, and for how long. */
  Sharing judge(ResponseHead head, long epochMillis) {
    return Judge.share(asked, head, classified.route().share(), epochMillis);
  }
}
