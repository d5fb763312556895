package dev.sluice.governor.judge;

import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.HopByHop;
import dev.sluice.http.caching.EntityTags;
import dev.sluice.http.caching.VaryNames;
import dev.sluice.outcome.BypassReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merges the fields of a 304 into those of the stored answer (RFC 9111 3.2, 4.3.4). Stateless. */
final class Freshener {

  /**
   * What the stored bytes and their key depend on: a 304 cannot change it. Next.js leaves
   * Accept-Encoding out of a 304's Vary, so that stays, too. Content-Type is not among them (RFC
   * 9111 3.2 lets only caches that act on it keep it); whether the new one fits is judged again.
   */
  private static final long KEPT =
      FieldName.setOf(
          FieldName.CONTENT_ENCODING,
          FieldName.CONTENT_LENGTH,
          FieldName.CONTENT_RANGE,
          FieldName.TRAILER,
          FieldName.VARY);

  /** Sums over the stored bytes; over a 304's own content they would be sums over nothing. */
  private static final Set<String> SUMS =
      Set.of("content-md5", "content-digest", "digest", "repr-digest");

  /** What told of the moment when the stored answer was made; the confirmation is a new one. */
  private static final long OF_THE_MOMENT =
      FieldName.setOf(FieldName.AGE, FieldName.DATE, FieldName.X_NEXTJS_CACHE);

  private static final Set<String> MOMENT_NAMES =
      Set.of(FieldName.AGE.lower(), FieldName.DATE.lower(), FieldName.X_NEXTJS_CACHE.lower());

  private Freshener() {}

  static Freshening merge(Headers stored, Headers notModified) {
    // C01: a cookie on a 304 is as much one visitor's as on a 200.
    if (notModified.has(FieldName.SET_COOKIE)) {
      return new Freshening.Barred(BypassReason.SET_COOKIE);
    }
    if (VaryNames.of(notModified).star()) {
      return new Freshening.Barred(BypassReason.VARY_STAR);
    }
    String held = stored.first(FieldName.ETAG);
    String confirmed = notModified.first(FieldName.ETAG);
    if (held == null || confirmed == null || EntityTags.weaklyEqual(held, confirmed)) {
      return new Freshening.Merged(merged(stored, notModified, updates(notModified)));
    }
    // RFC 9111 4.3.4: fields of another representation update nothing. But where nothing except
    // the stored tag was asked about, the stored answer is what the origin says has not changed.
    return stored.has(FieldName.LAST_MODIFIED)
        ? new Freshening.Barred(BypassReason.OTHER_VALIDATOR)
        : new Freshening.Merged(merged(stored, notModified, MOMENT_NAMES));
  }

  private static Headers merged(Headers stored, Headers notModified, Set<String> updates) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < stored.size(); i++) {
      if (!isIn(stored.known(i), OF_THE_MOMENT) && !updates.contains(lower(stored, i))) {
        add(stored, i, lines);
      }
    }
    for (int i = 0; i < notModified.size(); i++) {
      if (updates.contains(lower(notModified, i))) {
        add(notModified, i, lines);
      }
    }
    return FieldList.of(lines.toArray(String[]::new));
  }

  /** The names, in lower case, whose lines the 304 replaces. */
  private static Set<String> updates(Headers notModified) {
    List<String> ofThisHop = HopByHop.connectionNames(notModified);
    var names = new HashSet<String>();
    for (int i = 0; i < notModified.size(); i++) {
      FieldName known = notModified.known(i);
      String name = lower(notModified, i);
      boolean stays = isIn(known, KEPT) || SUMS.contains(name);
      if (!stays && !HopByHop.isDropped(known) && !ofThisHop.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private static boolean isIn(@Nullable FieldName name, long names) {
    return name != null && (names & name.bit()) != 0;
  }

  private static String lower(Headers headers, int index) {
    return headers.name(index).toLowerCase(Locale.ROOT);
  }

  private static void add(Headers headers, int index, List<String> lines) {
    lines.add(headers.name(index));
    lines.add(headers.value(index));
  }
}
