package dev.sluice.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the Connection fields of a head ask for (RFC 9110 7.6.1). The common heads (no Connection,
 * {@code keep-alive}, {@code close}) cost no allocation. Immutable.
 *
 * @param close the sender will close
 * @param keepAlive asked for by an HTTP/1.0 client
 * @param upgrade whether an Upgrade field is meant for us
 * @param names further fields to drop, in lower case: those that are neither dropped anyway nor
 *     protected ({@link HopByHop#isProtected})
 * @param malformed an element is not a token, or there are more than {@link #MAX_NAMES} names; such
 *     a request is refused
 */
public record ConnectionOptions(
    boolean close, boolean keepAlive, boolean upgrade, List<String> names, boolean malformed) {

  /** More names than this are no honest use of the field. */
  public static final int MAX_NAMES = 32;

  private static final ConnectionOptions NONE = plain(false, false);
  private static final ConnectionOptions CLOSE = plain(true, false);
  private static final ConnectionOptions KEEP_ALIVE = plain(false, true);

  public ConnectionOptions {
    names = List.copyOf(names);
  }

  /** Reads all Connection lines of {@code headers} as one list. */
  public static ConnectionOptions of(Headers headers) {
    if (!headers.has(FieldName.CONNECTION)) {
      return NONE;
    }
    var reading = new Reading();
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == FieldName.CONNECTION) {
        reading.line(headers.value(i));
      }
    }
    return reading.result();
  }

  private static ConnectionOptions plain(boolean close, boolean keepAlive) {
    return new ConnectionOptions(close, keepAlive, false, List.of(), false);
  }

  /** One pass over the Connection lines. Confined to the call that makes it. */
  private static final class Reading {
    private boolean close;
    private boolean keepAlive;
    private boolean upgrade;
    private boolean malformed;
    private @Nullable List<String> names;

    void line(String value) {
      int from = 0;
      while (from <= value.length()) {
        int comma = value.indexOf(',', from);
        int to = comma < 0 ? value.length() : comma;
        element(value, Text.skipSpace(value, from, to), Text.trimEnd(value, from, to));
        from = to + 1;
      }
    }

    private void element(String value, int from, int to) {
      if (from >= to) {
        return; // RFC 9110 5.6.1.2: a recipient ignores empty elements.
      }
      if (Text.regionEquals(value, from, to, "close")) {
        close = true;
      } else if (Text.regionEquals(value, from, to, "keep-alive")) {
        keepAlive = true;
      } else if (Text.regionEquals(value, from, to, "upgrade")) {
        upgrade = true;
      } else if (Text.isToken(value, from, to)) {
        name(value.substring(from, to).toLowerCase(Locale.ROOT));
      } else {
        malformed = true;
      }
    }

    private void name(String lower) {
      if (HopByHop.isDropped(lower) || HopByHop.isProtected(lower)) {
        return;
      }
      if (names == null) {
        names = new ArrayList<>(4);
      }
      if (names.size() == MAX_NAMES) {
        malformed = true;
      } else if (!names.contains(lower)) {
        names.add(lower);
      }
    }

    ConnectionOptions result() {
      if (names == null && !upgrade && !malformed && !(close && keepAlive)) {
        return close ? CLOSE : keepAlive ? KEEP_ALIVE : NONE;
      }
      return new ConnectionOptions(
          close, keepAlive, upgrade, names == null ? List.of() : names, malformed);
    }
  }
}
