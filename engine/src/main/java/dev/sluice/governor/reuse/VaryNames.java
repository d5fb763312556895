package dev.sluice.governor.reuse;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Request fields by which answers were seen to vary, in the order of their names. Immutable. */
public final class VaryNames {

  /** DEC-34: more of them are no selection but an identity. */
  static final int MOST = 8;

  /** Nothing was seen. */
  public static final VaryNames NONE = new VaryNames(List.of());

  private final List<KeyField> fields;

  private VaryNames(List<KeyField> fields) {
    this.fields = fields;
  }

  static VaryNames of(Collection<String> lowerNames) {
    return new VaryNames(new TreeSet<>(lowerNames).stream().map(KeyField::of).toList());
  }

  /** The names in lower case. */
  public List<String> names() {
    return fields.stream().map(KeyField::lower).toList();
  }

  boolean isEmpty() {
    return fields.isEmpty();
  }

  List<KeyField> fields() {
    return fields;
  }
}
