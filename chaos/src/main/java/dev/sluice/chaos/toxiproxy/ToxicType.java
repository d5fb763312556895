package dev.sluice.chaos.toxiproxy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a toxic does. */
enum ToxicType {
  /** Delays all data by latency ± jitter, in milliseconds. */
  LATENCY("latency", "jitter"),
  /** Lets so many kilobytes (1,000 bytes) a second through. */
  BANDWIDTH("rate"),
  /** Delays the close, in milliseconds. */
  SLOW_CLOSE("delay"),
  /** Lets nothing through and closes after so many milliseconds; 0 = not before it is removed. */
  TIMEOUT("timeout"),
  /** Closes with RST so many milliseconds after the first data. */
  RESET_PEER("timeout"),
  /** Cuts data into slices of about that size, in bytes, with a delay in microseconds. */
  SLICER("average_size", "size_variation", "delay"),
  /** Closes once so many bytes went through. */
  LIMIT_DATA("bytes");

  @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
  private final List<String> attributes;

  ToxicType(String... attributes) {
    this.attributes = List.of(attributes);
  }

  /**
   * The type of that name.
   *
   * @throws ApiFailure if there is none
   */
  static ToxicType of(String word) {
    for (ToxicType type : values()) {
      if (type.word().equals(word)) {
        return type;
      }
    }
    throw ApiFailure.badRequest("invalid toxic type");
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Every attribute of this type, 0. */
  Map<String, Long> defaults() {
    Map<String, Long> zeros = new LinkedHashMap<>();
    attributes.forEach(name -> zeros.put(name, 0L));
    return zeros;
  }

  /**
   * These attributes with those that {@code given} names in their place; unknown ones are passed
   * over.
   *
   * @throws ApiFailure if one is no whole number
   */
  Map<String, Long> changed(Map<String, Long> before, JsonNode given) {
    Map<String, Long> changed = new LinkedHashMap<>(before);
    for (String name : attributes) {
      JsonNode value = given.path(name);
      if (value.isMissingNode() || value.isNull()) {
        continue;
      }
      if (!value.isIntegralNumber()) {
        throw ApiFailure.badBody(name + ": " + value + " (expected: a whole number)");
      }
      changed.put(name, value.asLong());
    }
    return changed;
  }
}
