package dev.sluice.governor.reuse.cache;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The store's entries by path, so that a write to one path does not look at all the others.
 * Thread-safe; a set is touched under its map's lock for its path only.
 */
final class PathIndex {

  /** Most paths have one variant or two. */
  private static final int FEW = 2;

  private final ConcurrentHashMap<String, Set<StoredResponse>> byPath = new ConcurrentHashMap<>();

  void add(StoredResponse entry) {
    byPath.compute(
        entry.filing().path(),
        (path, entries) -> {
          Set<StoredResponse> all = entries == null ? new HashSet<>(FEW) : entries;
          all.add(entry);
          return all;
        });
  }

  void remove(StoredResponse entry) {
    byPath.computeIfPresent(
        entry.filing().path(),
        (path, entries) -> {
          entries.remove(entry);
          return entries.isEmpty() ? null : entries;
        });
  }

  /** The entries of one path. */
  List<StoredResponse> of(String path) {
    var found = new ArrayList<StoredResponse>();
    byPath.computeIfPresent(
        path,
        (same, entries) -> {
          found.addAll(entries);
          return entries;
        });
    return found;
  }

  /** The entries of all such paths: looks at every path. */
  List<StoredResponse> where(Predicate<String> meant) {
    var found = new ArrayList<StoredResponse>();
    for (String path : byPath.keySet()) {
      if (meant.test(path)) {
        found.addAll(of(path));
      }
    }
    return found;
  }

  /** How many paths there are. */
  int size() {
    return byPath.size();
  }
}
