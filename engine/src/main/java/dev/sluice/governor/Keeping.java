package dev.sluice.governor;

import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.ResponseHead;

/**
 * An answer that is to be kept once it is whole. Immutable.
 *
 * @param key what it is filed under; not its flight's where it varies by more than that had
 */
record Keeping(
    CacheKey key, ResponseHead head, Sharing.Kept sharing, StoredResponse.Received received) {}
