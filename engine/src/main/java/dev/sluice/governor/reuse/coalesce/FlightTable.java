package dev.sluice.governor.reuse.coalesce;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The flights that may be boarded, by key, of all loops. A flight that is not in here takes no more
 * passengers (DEC-47). Bounded by the flights there are, which admission bounds. Thread-safe.
 *
 * @param <K> what like requests have in common
 * @param <F> a flight
 */
public final class FlightTable<K, F> {

  private final ConcurrentHashMap<K, F> flights = new ConcurrentHashMap<>();

  /** Opens {@code mine} for boarding, or returns the flight of this key that is open already. */
  public @Nullable F openUnlessOpen(K key, F mine) {
    return flights.putIfAbsent(key, mine);
  }

  /** The flight of this key that may be boarded, or null. */
  public @Nullable F find(K key) {
    return flights.get(key);
  }

  /** Nobody boards {@code flight} any more; no effect where it is not open. */
  public void close(K key, F flight) {
    flights.remove(key, flight);
  }

  /** Shows each open flight; one that opens or closes meanwhile may be missed or shown. */
  public void each(BiConsumer<K, F> look) {
    flights.forEach(look);
  }

  /** How many are open. */
  public int size() {
    return flights.size();
  }
}
