package dev.sluice.config;

import dev.sluice.config.DrawnValue.Item;
import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Rows;
import dev.sluice.config.Key.Traits;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Some of the schema's keys with values that fit their types, before anyone wrote them down.
 * Immutable.
 *
 * @param values by key path, in the schema's order
 */
record DrawnFile(Map<String, Leaf> keys, Map<String, DrawnValue> values) {

  private static final int MOST_ROUTES = 3;

  /** Few keys or many; sections that need a key have it. */
  static DrawnFile of(Random random) {
    DrawnFile file = new DrawnFile(new LinkedHashMap<>(), new LinkedHashMap<>());
    double share = random.nextInt(3) == 0 ? 0.9 * random.nextDouble() : 0.2 * random.nextDouble();
    file.add(Schema.ROOT, "", share, random);
    return file;
  }

  private void add(Group group, String path, double share, Random random) {
    for (Key key : group.keys()) {
      String keyPath = path + key.name();
      if (key instanceof Leaf leaf) {
        if (isNeeded(leaf) || random.nextDouble() < share) {
          keys.put(keyPath, leaf);
          values.put(keyPath, DrawnValue.of(leaf, random));
        }
      } else if (key instanceof Group inner) {
        if (!inner.absent() || random.nextDouble() < share) {
          add(inner, keyPath + ".", share, random);
        }
      } else if (key instanceof Rows rows) {
        for (int i = random.nextInt(MOST_ROUTES + 1) - 1; i >= 0; i--) {
          add(rows.item(), keyPath + "[" + i + "].", share, random);
        }
      }
    }
  }

  private static boolean isNeeded(Leaf leaf) {
    return leaf.traits() == Traits.REQUIRED || leaf.name().equals("sni");
  }

  /** The file without a key, without a section, or without the section that needs the key. */
  DrawnFile without(String keyPath) {
    Leaf leaf = keys.get(keyPath);
    String gone =
        leaf != null && isNeeded(leaf) ? keyPath.substring(0, keyPath.lastIndexOf('.')) : keyPath;
    return lacking(gone);
  }

  /** The file without a key or section, whatever needs it. */
  DrawnFile lacking(String gone) {
    Map<String, DrawnValue> left = new LinkedHashMap<>(values);
    left.keySet().removeIf(path -> isWithin(path, gone));
    return new DrawnFile(keys, left);
  }

  /** Whether a key path is {@code section} or lies beneath it. */
  static boolean isWithin(String path, String section) {
    return path.startsWith(section)
        && (path.length() == section.length() || ".[".indexOf(path.charAt(section.length())) >= 0);
  }

  /** Every key and section that the file names, as {@code origin}, {@code origin.upstreams}. */
  Set<String> named() {
    Set<String> named = new TreeSet<>();
    for (String path : values.keySet()) {
      for (int at = path.indexOf('.'); at >= 0; at = path.indexOf('.', at + 1)) {
        String section = path.substring(0, at);
        named.add(section.endsWith("]") ? section.substring(0, section.indexOf('[')) : section);
      }
      named.add(path);
    }
    return named;
  }

  /** What the schema knows beside the key at {@code path}, the key itself included. */
  static Group siblings(String path) {
    Group group = Schema.ROOT;
    List<String> steps = List.of(path.split("\\."));
    for (String step : steps.subList(0, steps.size() - 1)) {
      Key key = group.find(step.replaceAll("\\[\\d+]", "")).orElseThrow();
      group = key instanceof Rows rows ? rows.item() : (Group) key;
    }
    return group;
  }

  /** Environment variables that hold every value's normal spelling. */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    for (DrawnValue value : values.values()) {
      for (Item item : value.items()) {
        environment.put(variable(item), item.texts().get(0));
      }
    }
    return environment;
  }

  static String variable(Item item) {
    byte[] text = item.texts().get(0).getBytes(StandardCharsets.UTF_8);
    return "V" + HexFormat.of().formatHex(text);
  }
}
