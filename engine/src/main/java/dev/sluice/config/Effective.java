package dev.sluice.config;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Rows;
import java.util.ArrayList;
import java.util.List;

/** Every value in force and where it came from, in the schema's order. Immutable. */
public record Effective(List<Entry> entries) {

  public Effective {
    entries = List.copyOf(entries);
  }

  /**
   * One value.
   *
   * @param value as it may be printed: {@code ${NAME}} stays as written, a secret is hidden
   * @param source {@code file:line}, {@code default}, {@code resolved from auto} or {@code
   *     environment, file:line}
   */
  public record Entry(String keyPath, String value, String source) {}

  /** Aligned lines, as {@code sluice check --effective} prints them. */
  public List<String> lines() {
    int width = 0;
    for (Entry entry : entries) {
      width = Math.max(width, entry.keyPath().length() + entry.value().length() + 2);
    }
    List<String> lines = new ArrayList<>();
    for (Entry entry : entries) {
      String pair = entry.keyPath() + ": " + entry.value();
      lines.add(pair + " ".repeat(width - pair.length()) + "  # " + entry.source());
    }
    return lines;
  }

  static Effective of(Values values, String file) {
    List<Entry> entries = new ArrayList<>();
    collect(Schema.ROOT, "", values, file, entries);
    return new Effective(entries);
  }

  private static void collect(
      Group group, String prefix, Values values, String file, List<Entry> entries) {
    for (Key key : group.keys()) {
      String path = prefix + key.name();
      if (key instanceof Leaf) {
        values.find(path).ifPresent(value -> entries.add(entry(value, values, file)));
      } else if (key instanceof Group inner) {
        collect(inner, path + ".", values, file, entries);
      } else if (key instanceof Rows rows) {
        for (int i = 0; i < values.routes(); i++) {
          collect(rows.item(), path + "[" + i + "].", values, file, entries);
        }
      }
    }
  }

  private static Entry entry(Value value, Values values, String file) {
    String place = file + ":" + value.spot().line();
    String source =
        switch (value.source()) {
          case FILE -> place;
          case ENVIRONMENT -> "environment, " + place;
          case DEFAULT -> "default";
          case RESOLVED ->
              values.written(value.keyPath())
                  ? "resolved from auto, " + place
                  : "resolved from auto";
        };
    return new Entry(value.keyPath(), Problems.oneLine(value.shown()), source);
  }
}
