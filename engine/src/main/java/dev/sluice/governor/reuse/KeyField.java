package dev.sluice.governor.reuse;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import dev.sluice.http.NameSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request field that is in a key, found in a head without making strings. Immutable. */
final class KeyField {

  /** RFC 9110 sets no bound; longer names are no honest selectors. */
  static final int LONGEST_NAME = 63;

  private final String lower;
  private final @Nullable FieldName known;
  private final NameSet alone;

  private KeyField(String lower) {
    this.lower = lower;
    this.known = FieldName.find(lower);
    this.alone = known == null ? NameSet.of(List.of(lower), List.of()) : NameSet.EMPTY;
  }

  static KeyField of(String name) {
    return new KeyField(name.toLowerCase(Locale.ROOT));
  }

  /** The name in lower case. */
  String lower() {
    return lower;
  }

  @Nullable FieldName known() {
    return known;
  }

  /** Whether a head may have the field; false is certain. */
  boolean mayBeIn(Headers headers) {
    return known == null || headers.has(known);
  }

  /** Whether line {@code index} has this name. */
  boolean names(Headers headers, int index) {
    FieldName name = headers.known(index);
    return known == null ? name == null && headers.isNamedIn(index, alone) : name == known;
  }
}
