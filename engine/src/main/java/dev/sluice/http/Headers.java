package dev.sluice.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a head or a trailer section in the order they came. A view that wire implements
 * over the bytes it read; a value is made into a string when it is asked for. Immutable once
 * published.
 */
public interface Headers {

  /** How many field lines there are. */
  int size();

  /** The name of line {@code index} where the vocabulary has it, else null. */
  @Nullable FieldName known(int index);

  /** The name of line {@code index} as it was sent. */
  String name(int index);

  /** The value of line {@code index} without the white space around it. */
  String value(int index);

  /** How many characters {@link #value} has, without making it. */
  default int valueLength(int index) {
    return value(index).length();
  }

  /** The character at {@code at} of {@link #value}, without making it. */
  default char valueAt(int index, int at) {
    return value(index).charAt(at);
  }

  /** Whether the name of line {@code index} is in {@code names}. */
  default boolean isNamedIn(int index, NameSet names) {
    return names.contains(name(index));
  }

  /** The set of known names that occur, {@link FieldName#bit()} by name. */
  long present();

  /** Whether a line has this name. */
  default boolean has(FieldName name) {
    return (present() & name.bit()) != 0;
  }

  /** The value of the first line of this name, or null. */
  default @Nullable String first(FieldName name) {
    if (!has(name)) {
      return null;
    }
    for (int i = 0; i < size(); i++) {
      if (known(i) == name) {
        return value(i);
      }
    }
    return null;
  }

  /** The values of all lines of this name, in order. */
  default List<String> all(FieldName name) {
    if (!has(name)) {
      return List.of();
    }
    var values = new ArrayList<String>(2);
    for (int i = 0; i < size(); i++) {
      if (known(i) == name) {
        values.add(value(i));
      }
    }
    return values;
  }
}
