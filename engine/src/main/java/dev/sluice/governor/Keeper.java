package dev.sluice.governor;

import dev.sluice.flow.KeptBody;
import dev.sluice.flow.StoredBody;
import dev.sluice.governor.judge.Freshening;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Rights;
import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.governor.reuse.cache.StoredResponse.Filing;
import dev.sluice.governor.reuse.cache.StoredResponse.Received;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.HopByHop;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.HttpDate;
import dev.sluice.outcome.BypassReason;
import dev.sluice.wire.ResponseOut;
import dev.sluice.wire.StoredHeads;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes answers that were judged storable into entries of the store. Confined to one loop. */
final class Keeper {

  private static final byte[] NO_LINES = {};

  private final FlightContext context;
  private final ResponseCache cache;

  Keeper(FlightContext context, ResponseCache cache) {
    this.context = context;
    this.cache = cache;
  }

  /** Keeps a whole answer, or says why not. */
  @Nullable BypassReason keep(
      SharedErrand errand, Keeping keeping, KeptBody body, long purgeNumber) {
    if (context.isOfAnotherDeployment()) {
      return BypassReason.PURGED;
    }
    CacheKey key = keeping.key();
    long length = body.published();
    if (length > context.generation().reuse().cache().maxBodySize()) {
      return BypassReason.OVERSIZE;
    }
    EncodedHead head = encode(keeping.head(), keeping.received(), length);
    long charge = ResponseCache.charge(key, head.bytes().length, length);
    BypassReason full = cache.reserve(charge);
    if (full != null) {
      return full;
    }
    StoredBody stored = copied(body, charge);
    if (stored == null) {
      return BypassReason.MEMORY;
    }
    var entry =
        new StoredResponse(
            filing(errand, key, keeping.head().headers()),
            head,
            stored,
            keeping.sharing().lifetime(),
            keeping.sharing().rights(),
            keeping.received());
    return cache.put(entry, purgeNumber) ? null : BypassReason.PURGED;
  }

  /** The memory is there by our account, and may not be by the process's. */
  private @Nullable StoredBody copied(KeptBody body, long charge) {
    try {
      return body.store(cache.account(), charge);
    } catch (OutOfMemoryError none) {
      return null;
    }
  }

  /**
   * The stored answer as a 304 left it, in the place of the old one, whose bytes it shares (RFC
   * 9111 4.3.4). The old one itself, for those who wait and no one else, where there is no room for
   * the new head or a newer answer is there already; null where it may not be served any more.
   */
  @Nullable StoredResponse freshen(
      SharedErrand errand, StoredResponse stale, ResponseHead notModified, long purgeNumber) {
    Freshening freshening = Judge.freshened(stale.plainHead().headers(), notModified.headers());
    if (freshening instanceof Freshening.Barred barred) {
      context.notKept(errand.classified().route().id(), barred.reason());
      cache.remove(stale);
      return null;
    }
    var merged = (Freshening.Merged) freshening;
    ResponseHead old = stale.plainHead();
    var head = new ResponseHead(old.status(), old.reason(), merged.fields(), old.framing());
    Sharing sharing = errand.judge(head, context.epochMillis());
    if (!(sharing instanceof Sharing.Kept kept) || context.isOfAnotherDeployment()) {
      cache.remove(stale);
      return null;
    }
    Filing filing = filing(stale.filing(), notModified.headers());
    StoredResponse entry = renewed(stale, filing, head, kept);
    if (entry == null) {
      context.notKept(errand.classified().route().id(), BypassReason.STORE_FULL);
      return stale;
    }
    return cache.replace(stale, entry, purgeNumber) ? entry : unlessTakenOut(stale);
  }

  /** The old one's bytes under a new head, pinned for the index; null where that has no room. */
  private @Nullable StoredResponse renewed(
      StoredResponse stale, Filing filing, ResponseHead head, Sharing.Kept kept) {
    StoredBody body = stale.body();
    Received received = context.reuse().received();
    EncodedHead encoded = encode(head, received, body.length());
    long charge = ResponseCache.charge(filing.key(), encoded.bytes().length, body.length());
    if (cache.reserveMore(body, charge) != null || !body.tryPin()) {
      return null;
    }
    int rights = kept.rights() | Rights.ofBytes(stale.rights());
    return new StoredResponse(filing, encoded, body, kept.lifetime(), rights, received);
  }

  /**
   * A confirmed answer that is not to be kept. Where another came in its place it is good enough
   * for those who asked; else it was purged, or taken out for another reason.
   */
  private @Nullable StoredResponse unlessTakenOut(StoredResponse stale) {
    StoredResponse there = cache.look(stale.filing().key());
    return there == null || there == stale ? null : stale;
  }

  /** A confirmation may bring other tags; one without any leaves them as they were. */
  private Filing filing(Filing stale, Headers notModified) {
    List<String> told = tags(notModified);
    return told.isEmpty() ? stale : new Filing(stale.key(), stale.primary(), stale.path(), told);
  }

  private EncodedHead encode(ResponseHead head, Received received, long length) {
    byte[] date =
        head.headers().has(FieldName.DATE)
            ? NO_LINES
            : ("Date: " + HttpDate.format(received.epochMillis()) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    return StoredHeads.encode(
        new ResponseOut(
            head,
            HopByHop.FIELDS,
            HopByHop.connectionNames(head.headers()),
            context.generation().delivery().unexposed(),
            date),
        length);
  }

  private Filing filing(SharedErrand errand, CacheKey key, Headers fields) {
    return new Filing(
        key, errand.selection().primary(), errand.selection().head().target().path(), tags(fields));
  }

  /** The tags that an answer carries in the configured field (CCH-17). */
  List<String> tags(Headers fields) {
    return tags(fields, context.generation().reuse().cache().tagHeader());
  }

  /** CCH-18: comma between, white space around each does not count. */
  static List<String> tags(Headers fields, String tagHeader) {
    Set<String> tags = new LinkedHashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).equalsIgnoreCase(tagHeader)) {
        for (String tag : fields.value(i).split(",", -1)) {
          if (!tag.isBlank()) {
            tags.add(tag.strip());
          }
        }
      }
    }
    return List.copyOf(tags);
  }
}
