package dev.sluice.governor;

import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.VaryMatch;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.ResponseHead;

/**
 * An answer that is to be kept once it is whole. Immutable.
 *
 * @param match by which request fields it varies, so what it is filed under
 */
record Keeping(
    ResponseHead head, Sharing.Kept sharing, VaryMatch match, StoredResponse.Received received) {}
