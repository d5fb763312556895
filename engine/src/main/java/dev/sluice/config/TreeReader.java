package dev.sluice.config;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Rows;
import dev.sluice.config.Key.Traits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Walks a document beside the schema: every key is known or a problem. Confined to one reading. */
final class TreeReader {

  private static final int MOST_ROUTES = 10_000;

  private final LeafReader leaves;
  private final Values values;
  private final Problems problems;

  TreeReader(Placeholders placeholders, Values values, Problems problems) {
    this.leaves = new LeafReader(placeholders, values, problems);
    this.values = values;
    this.problems = problems;
  }

  void read(Node document) {
    group(Schema.ROOT, "", document, false);
  }

  /**
   * @param unbuilt whether the section as a whole was already refused as not built
   */
  private void group(Group group, String path, Node node, boolean unbuilt) {
    List<Node.Entry> entries = List.of();
    if (node instanceof Node.Mapping mapping) {
      entries = mapping.entries();
    } else if (!(node instanceof Node.Empty)) {
      values.broken(path);
      problems.error(
          node.spot(),
          path,
          node.kind() + " is here (expected: a map with the keys " + names(group) + ")",
          "write the keys beneath it, indented");
      defaults(group, path);
      return;
    }
    Map<String, Spot> seen = new HashMap<>();
    for (Node.Entry entry : entries) {
      entry(group, path, entry, seen, unbuilt);
    }
    for (Key key : group.keys()) {
      if (!seen.containsKey(key.name())) {
        absent(key, join(path, key.name()), node.spot());
      }
    }
  }

  private void entry(
      Group group, String path, Node.Entry entry, Map<String, Spot> seen, boolean unbuilt) {
    String keyPath = join(path, entry.key());
    Optional<Key> key = group.find(entry.key());
    if (key.isEmpty()) {
      problems.error(
          entry.spot(),
          keyPath,
          "unknown key " + entry.key() + " (expected: " + names(group) + ")",
          suggestion(group, entry.key()));
      return;
    }
    Spot first = seen.putIfAbsent(entry.key(), entry.spot());
    if (first != null) {
      problems.error(
          entry.spot(),
          keyPath,
          "the key stands twice (first in line " + first.line() + ")",
          "keep one of them");
      return;
    }
    values.place(keyPath, entry.spot());
    present(key.get(), keyPath, entry, unbuilt);
  }

  private void present(Key key, String keyPath, Node.Entry entry, boolean unbuilt) {
    if (key instanceof Leaf leaf) {
      leaves.read(leaf, keyPath, entry, unbuilt);
    } else if (key instanceof Group group) {
      if (group.later() != null && !unbuilt) {
        problems.error(
            entry.spot(),
            keyPath,
            "not in this build yet (" + group.later() + ")",
            "leave the section out");
      }
      group(group, keyPath, entry.value(), unbuilt || group.later() != null);
    } else if (key instanceof Rows rows) {
      rows(rows, keyPath, entry.value());
    }
  }

  private void rows(Rows rows, String path, Node node) {
    if (node instanceof Node.Empty) {
      return;
    }
    if (!(node instanceof Node.Sequence sequence)) {
      problems.error(
          node.spot(),
          path,
          node.kind() + " is here (expected: a list of maps)",
          "begin each item with a dash");
      return;
    }
    if (sequence.items().size() > MOST_ROUTES) {
      problems.error(
          node.spot(),
          path,
          sequence.items().size() + " items (expected: <= " + MOST_ROUTES + ")",
          "");
      return;
    }
    values.routes(sequence.items().size());
    for (int i = 0; i < sequence.items().size(); i++) {
      Node item = sequence.items().get(i);
      values.place(path + "[" + i + "]", item.spot());
      group(rows.item(), path + "[" + i + "]", item, false);
    }
  }

  private void absent(Key key, String keyPath, Spot around) {
    if (key instanceof Leaf leaf) {
      leaves.absent(leaf, keyPath, around);
    } else if (key instanceof Group group && !group.absent()) {
      for (Key inner : group.keys()) {
        absent(inner, join(keyPath, inner.name()), around);
      }
    }
  }

  /** Fills in a section that the file does not have, or has as something else than a map. */
  void defaults(Group group, String path) {
    for (Key key : group.keys()) {
      if (!(key instanceof Leaf leaf && leaf.traits() == Traits.REQUIRED)) {
        absent(key, join(path, key.name()), Spot.START);
      }
    }
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private static String names(Group group) {
    return String.join(", ", group.keys().stream().map(Key::name).toList());
  }

  private static String suggestion(Group group, String typed) {
    Optional<String> near = Nearest.of(typed, group.keys().stream().map(Key::name).toList());
    if (near.isPresent()) {
      return "did you mean " + near.get() + "?";
    }
    return elsewhere(Schema.ROOT, "", typed)
        .map(path -> "the key is known as " + path)
        .orElse("leave it out");
  }

  /** Where a key that stands in the wrong section belongs. */
  private static Optional<String> elsewhere(Group group, String path, String typed) {
    for (Key key : group.keys()) {
      String keyPath = join(path, key.name());
      if (key.name().equals(typed)) {
        return Optional.of(keyPath);
      }
      Optional<String> deeper = Optional.empty();
      if (key instanceof Group inner) {
        deeper = elsewhere(inner, keyPath, typed);
      } else if (key instanceof Rows rows) {
        deeper = elsewhere(rows.item(), keyPath + "[]", typed);
      }
      if (deeper.isPresent()) {
        return deeper;
      }
    }
    return Optional.empty();
  }
}
