package dev.sluice.governor.classify;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;

/** How a Next.js client and its origin speak to each other, as measured. Stateless. */
final class NextSignals {

  /** Hashed, immutable build output. */
  static final String STATIC_PREFIX = "/_next/static/";

  static final String IMAGE_PATH = "/_next/image";

  private static final long ROUTER_PREFETCH =
      FieldName.setOf(FieldName.NEXT_ROUTER_PREFETCH, FieldName.NEXT_ROUTER_SEGMENT_PREFETCH);

  private NextSignals() {}

  /**
   * Whether the payload is asked for: exactly {@code RSC: 1}. The origin joins repeated lines to
   * {@code 1, 1} and answers those with the document, so they do not count here either.
   */
  static boolean isRsc(Headers headers) {
    if (!headers.has(FieldName.RSC)) {
      return false;
    }
    int lines = 0;
    boolean one = false;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == FieldName.RSC) {
        lines++;
        one = headers.valueLength(i) == 1 && headers.valueAt(i, 0) == '1';
      }
    }
    return one && lines == 1;
  }

  /** The App Router's prefetches, and the Pages Router's of its data routes. */
  static boolean isPrefetch(Headers headers, boolean rsc) {
    if (rsc && (headers.present() & ROUTER_PREFETCH) != 0) {
      return true;
    }
    return headers.has(FieldName.X_NEXTJS_DATA) && isSpeculative(headers);
  }

  /** A browser's own speculation, whatever the framework: Sec-Purpose, and Purpose before it. */
  static boolean isSpeculative(Headers headers) {
    return Elements.contains(headers, FieldName.SEC_PURPOSE, "prefetch")
        || Elements.contains(headers, FieldName.PURPOSE, "prefetch");
  }
}
