package dev.sluice.config;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The values of one file by key path, defaults included. Confined to one reading. Asking for a key
 * that the schema gives no default and the file does not name is a bug and throws.
 */
final class Values {

  private final Map<String, Value> byPath = new LinkedHashMap<>();
  private final Map<String, Spot> places = new HashMap<>();
  private final Set<String> broken = new HashSet<>();
  private int routes;

  void put(Value value) {
    byPath.put(value.keyPath(), value);
  }

  /** Remembers where a key stands, whatever became of its value. */
  void place(String keyPath, Spot spot) {
    places.put(keyPath, spot);
  }

  /** Says that a value could not be read, so that rules about it keep silent. */
  void broken(String keyPath) {
    broken.add(keyPath);
  }

  void routes(int number) {
    routes = number;
  }

  int routes() {
    return routes;
  }

  Collection<Value> all() {
    return byPath.values();
  }

  /** Whether every one of the keys has a value that could be read. */
  boolean sound(String... keyPaths) {
    for (String keyPath : keyPaths) {
      if (broken.contains(keyPath) || !byPath.containsKey(keyPath)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the file names the key or section, with a good value or a bad one. */
  boolean written(String keyPath) {
    return places.containsKey(keyPath);
  }

  /** The key's own place in the file, or that of what should contain it. */
  Spot spot(String keyPath) {
    String path = keyPath;
    while (!path.isEmpty()) {
      Spot spot = places.get(path);
      if (spot != null) {
        return spot;
      }
      path = path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }
    return Spot.START;
  }

  Optional<Value> find(String keyPath) {
    return Optional.ofNullable(byPath.get(keyPath));
  }

  Value at(String keyPath) {
    Value value = byPath.get(keyPath);
    if (value == null) {
      throw new IllegalStateException("no value for " + keyPath);
    }
    return value;
  }

  String shown(String keyPath) {
    return at(keyPath).shown();
  }

  boolean isAuto(String keyPath) {
    return at(keyPath).value() == Auto.AUTO;
  }

  boolean flag(String keyPath) {
    return (Boolean) at(keyPath).value();
  }

  int count(String keyPath) {
    return (Integer) at(keyPath).value();
  }

  long bytes(String keyPath) {
    return (Long) at(keyPath).value();
  }

  String text(String keyPath) {
    return (String) at(keyPath).value();
  }

  Duration duration(String keyPath) {
    return (Duration) at(keyPath).value();
  }

  /** A list's items, which all have the type {@code item}. */
  <T> List<T> list(String keyPath, Class<T> item) {
    return ((List<?>) at(keyPath).value()).stream().map(item::cast).toList();
  }
}
