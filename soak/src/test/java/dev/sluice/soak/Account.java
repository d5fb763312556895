package dev.sluice.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code /status} says is under way and in memory, at one moment. Immutable.
 *
 * @param permits units in flight under the three ceilings, those of abandoned work included
 * @param waiting flights that wait for a permit
 * @param fetches attempts under way at the upstreams
 * @param requestBytes bytes of requests that are held in memory
 * @param clients open client connections
 * @param originConnections open connections to the upstreams, idle ones included
 */
record Account(
    long permits,
    long waiting,
    long exchanges,
    long flights,
    long fetches,
    long requestBytes,
    long clients,
    long originConnections,
    long heapBytes,
    long directBytes) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static Account parse(String status) {
    try {
      JsonNode page = JSON.readTree(status);
      return new Account(
          sum(page.at("/admission"), "in_flight"),
          sum(page.at("/admission"), "waiting"),
          number(page, "/work/exchanges"),
          number(page, "/work/flights"),
          sum(page.at("/upstreams"), "in_flight"),
          number(page, "/memory/request_bytes_held"),
          sum(page.at("/connections_per_loop")),
          sum(page.at("/upstreams"), "connections"),
          number(page, "/memory/heap_used"),
          number(page, "/memory/direct_used"));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a status page: " + status, e);
    }
  }

  /** Whether nothing is under way, and no connection is open on either side. */
  boolean isQuiet() {
    return underWay().values().stream().allMatch(count -> count == 0);
  }

  /** The counts that are zero in a quiet process, by name. */
  Map<String, Long> underWay() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("permits", permits);
    counts.put("waiting", waiting);
    counts.put("exchanges", exchanges);
    counts.put("flights", flights);
    counts.put("fetches", fetches);
    counts.put("request_bytes", requestBytes);
    counts.put("clients", clients);
    counts.put("origin_connections", originConnections);
    return counts;
  }

  private static long sum(JsonNode parts, String field) {
    long sum = 0;
    for (JsonNode part : parts) {
      sum += number(part, "/" + field);
    }
    return sum;
  }

  private static long sum(JsonNode numbers) {
    long sum = 0;
    for (JsonNode number : numbers) {
      sum += number.asLong();
    }
    return sum;
  }

  private static long number(JsonNode page, String pointer) {
    JsonNode value = page.at(pointer);
    if (!value.isIntegralNumber()) {
      throw new IllegalArgumentException(pointer + ": " + value + " (expected: a number)");
    }
    return value.asLong();
  }
}
