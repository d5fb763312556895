package dev.sluice.governor.reuse.cache;

import dev.sluice.http.FieldName;

/**
 * The store's own settings. Immutable.
 *
 * @param maxMemory bytes that stored answers take at most, buffers' capacity included (DEC-38); 0
 *     where no route caches
 * @param maxBodySize bytes of the largest body that is stored (CCH-05)
 * @param maxVariants entries of one URL at most (BEY-05)
 * @param tagHeader the response field that carries tags, in lower case (CCH-17)
 * @param exposeTags whether clients see that field (DEC-12)
 * @param honorClientNoCache whether a client may ask past the store (DEC-17)
 * @param purgeToken the purge endpoint's secret; empty = there is no endpoint (CCH-25)
 */
public record CacheSettings(
    long maxMemory,
    long maxBodySize,
    int maxVariants,
    String tagHeader,
    boolean exposeTags,
    boolean honorClientNoCache,
    String purgeToken) {

  /** Whether a response field may carry tags: one that HTTP gives no meaning of its own. */
  public static boolean mayCarryTags(String lowerName) {
    return FieldName.find(lowerName) == null;
  }
}
