package dev.sluice.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the text behind a key is read. Immutable.
 *
 * @param name in the reference, as {@code duration}
 * @param unit the units it takes, in the reference; empty = none
 * @param item of a list, the type of its items; else null
 */
record ValueType(
    String name, String unit, Function<String, Parsed> reading, @Nullable ValueType item) {

  static ValueType of(String name, String unit, Function<String, Parsed> reading) {
    return new ValueType(name, unit, reading, null);
  }

  Parsed parse(String text) {
    return reading.apply(text);
  }
}
