package dev.sluice.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What {@code /status} says of the store, at one moment. Immutable.
 *
 * @param bytes in the account, of answers that are read but no longer found included
 * @param pinnedBytes of those alone
 * @param purged entries that purges touched, since the start
 */
record StoreState(
    long entries, long bytes, long maxBytes, long pinnedBytes, long evictions, long purged) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static StoreState of(SoakStack stack) {
    return parse(stack.sluice().status());
  }

  /** Reads what {@code /status} answered. */
  static StoreState parse(String status) {
    try {
      JsonNode store = JSON.readTree(status).path("cache");
      return new StoreState(
          number(store, "entries"),
          number(store, "bytes"),
          number(store, "max_bytes"),
          number(store, "pinned_bytes"),
          number(store, "evictions"),
          number(store, "purged_entries"));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a status page: " + status, e);
    }
  }

  boolean isEmpty() {
    return entries == 0 && bytes == 0;
  }

  /** Whether all that is charged can be found. */
  boolean isUnpinned() {
    return pinnedBytes == 0;
  }

  private static long number(JsonNode store, String field) {
    JsonNode value = store.path(field);
    if (!value.isIntegralNumber()) {
      throw new IllegalArgumentException(field + ": " + value + " (expected: a number)");
    }
    return value.asLong();
  }
}
