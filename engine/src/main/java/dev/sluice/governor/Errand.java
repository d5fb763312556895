package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.governor.classify.Classification;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.outcome.Reuse;
import dev.sluice.wire.RequestOut;
import org.jspecify.annotations.Nullable;

/** What a flight is to fetch. */
sealed interface Errand permits Errand.Own, SharedErrand {

  /** What the request that it began with is, and what may be done with it. */
  Classification.Classified classified();

  /** What the origin is asked. */
  RequestOut request();

  /** The body that is sent on, or null. */
  @Nullable Body upload();

  /** The stored answer that may stand in for the origin's, pinned by the flight; or null. */
  @Nullable StoredResponse stale();

  /** Whether the client still owes some of that body. */
  default boolean isUploading() {
    Body upload = upload();
    return upload != null && !upload.isComplete();
  }

  /** A whole upload that was never sent is held by nobody else; an unfinished one the client's. */
  default void dropUpload() {
    Body upload = upload();
    if (upload != null && upload.isComplete() && !upload.isFollowed()) {
      upload.desert();
    }
  }

  /**
   * One client's request, whole; nobody else boards.
   *
   * @param how what its answer is to the client: of a request that could not share, or that found
   *     nothing to share
   */
  record Own(
      Classification.Classified classified,
      RequestOut request,
      @Nullable Body upload,
      Reuse how,
      @Nullable StoredResponse stale)
      implements Errand {}
}
