package dev.sluice.config;

import dev.sluice.config.DrawnValue.Item;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A drawn file as YAML that knows where each of its keys and values stands. Immutable once made.
 */
final class WrittenFile {

  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9./][A-Za-z0-9./:_-]*[A-Za-z0-9/]");
  private static final Pattern NO_WORD = Pattern.compile("(?i)null");
  private static final Pattern QUOTABLE = Pattern.compile("[ -~]*");
  private static final Pattern BLOCK = Pattern.compile("[!-~]([ -~]*[!-~])?");

  private final Random random;
  private final boolean normal;
  private final Faults faults;
  private final StringBuilder text = new StringBuilder();
  private final Map<String, Spot> keys = new HashMap<>();
  private final Map<String, Spot> values = new HashMap<>();
  private final Map<String, Spot> repeated = new HashMap<>();
  private final Map<String, String> shown = new HashMap<>();
  private int line = 1;
  private int column = 1;

  /**
   * What is wrong with the file, by key path.
   *
   * @param typed keys as they were mistyped
   * @param instead YAML that stands for the value
   * @param twice the YAML of a second value
   */
  record Faults(Map<String, String> typed, Map<String, String> instead, Map<String, String> twice) {

    static Faults none() {
      return new Faults(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }
  }

  private WrittenFile(Random random, boolean normal, Faults faults) {
    this.random = random;
    this.normal = normal;
    this.faults = faults;
  }

  /** One key a line in the schema's order, everything in its normal spelling. */
  static WrittenFile normally(DrawnFile file) {
    return new WrittenFile(new Random(0), true, Faults.none()).all(file);
  }

  /** In any order, any spelling and any style. */
  static WrittenFile freely(DrawnFile file, Random random) {
    return freely(file, random, Faults.none());
  }

  static WrittenFile freely(DrawnFile file, Random random, Faults faults) {
    return new WrittenFile(random, false, faults).all(file);
  }

  private WrittenFile all(DrawnFile file) {
    Map<String, Object> tree = new LinkedHashMap<>();
    file.values()
        .forEach(
            (path, value) -> {
              Map<String, Object> section = tree;
              List<String> steps = List.of(path.split("\\."));
              for (String step : steps.subList(0, steps.size() - 1)) {
                section = beneath(section, step);
              }
              section.put(steps.get(steps.size() - 1), value);
            });
    block(tree, "", 0);
    return this;
  }

  @SuppressWarnings("unchecked") // The tree has maps, lists of maps by number, and values.
  private static Map<String, Object> beneath(Map<String, Object> section, String step) {
    int bracket = step.indexOf('[');
    if (bracket < 0) {
      return (Map<String, Object>) section.computeIfAbsent(step, key -> new LinkedHashMap<>());
    }
    Map<Integer, Map<String, Object>> rows =
        (Map<Integer, Map<String, Object>>)
            section.computeIfAbsent(step.substring(0, bracket), key -> new TreeMap<>());
    int row = Integer.parseInt(step.substring(bracket + 1, step.length() - 1));
    return rows.computeIfAbsent(row, key -> new LinkedHashMap<>());
  }

  private List<String> order(Map<String, Object> section) {
    List<String> order = new ArrayList<>(section.keySet());
    if (!normal) {
      Collections.shuffle(order, random);
    }
    return order;
  }

  private void block(Map<String, Object> section, String path, int indent) {
    boolean first = true;
    for (String key : order(section)) {
      if (!first || column == 1) {
        put(" ".repeat(indent));
      }
      first = false;
      Object value = Objects.requireNonNull(section.get(key));
      key(path + key, key);
      value(path + key, value, indent, false);
      String again = faults.twice().get(path + key);
      if (again != null) {
        put(" ".repeat(indent));
        repeated.put(path + key, spot());
        put(key + ": " + again + "\n");
      }
    }
  }

  private void key(String path, String key) {
    keys.put(path, spot());
    put(faults.typed().getOrDefault(path, key) + ":");
  }

  private void value(String path, Object value, int indent, boolean flow) {
    String instead = faults.instead().get(path);
    if (instead != null) {
      put(" ");
      values.put(path, spot());
      put(instead);
    } else if (value instanceof DrawnValue drawn) {
      drawn(path, drawn, indent, flow);
    } else if (value instanceof TreeMap<?, ?> rows) {
      rows(path, rows, indent, flow);
      return;
    } else {
      section(path, value, indent, flow);
      return;
    }
    if (!flow && column > 1) {
      put(normal || random.nextInt(8) > 0 ? "\n" : "  # here: [it, is\n\n");
    }
  }

  @SuppressWarnings("unchecked") // See beneath().
  private void section(String path, Object value, int indent, boolean flow) {
    Map<String, Object> section = (Map<String, Object>) value;
    boolean inBraces = flow || (!normal && random.nextInt(4) == 0 && !hasTwice(path));
    if (!inBraces) {
      put("\n");
      block(section, path + ".", indent + (normal ? 2 : 1 + random.nextInt(4)));
      return;
    }
    put(" {");
    String comma = " ";
    for (String key : order(section)) {
      put(comma);
      comma = ", ";
      key(path + "." + key, key);
      value(path + "." + key, Objects.requireNonNull(section.get(key)), 0, true);
    }
    put(flow ? " }" : " }\n");
  }

  private boolean hasTwice(String path) {
    return faults.twice().keySet().stream().anyMatch(key -> key.startsWith(path));
  }

  @SuppressWarnings("unchecked") // See beneath().
  private void rows(String path, Map<?, ?> rows, int indent, boolean flow) {
    put("\n");
    rows.forEach(
        (row, section) -> {
          put(" ".repeat(indent) + "- ");
          block((Map<String, Object>) section, path + "[" + row + "].", indent + 2);
        });
    if (flow) {
      throw new AssertionError(path);
    }
  }

  private void drawn(String path, DrawnValue drawn, int indent, boolean flow) {
    List<String> texts = new ArrayList<>();
    boolean dashes =
        drawn.isList() && !flow && !normal && !drawn.items().isEmpty() && random.nextInt(3) == 0;
    String open = dashes ? "\n" : drawn.isList() ? " [" : " ";
    put(open);
    values.put(path, spot());
    for (int i = 0; i < drawn.items().size(); i++) {
      String item = text(drawn.items().get(i));
      texts.add(item);
      if (dashes) {
        put(" ".repeat(indent) + "- " + scalar(item, true) + "\n");
      } else {
        put(i > 0 ? ", " : "");
        if (!normal && !flow && !drawn.isList() && isBlock(item)) {
          put(DrawnValue.pick(random, "|-", ">-") + "\n" + " ".repeat(indent + 2) + item + "\n");
        } else {
          put(scalar(item, drawn.isList() || flow));
        }
      }
    }
    put(drawn.isList() && !dashes ? "]" : "");
    texts.replaceAll(item -> item.isEmpty() ? "\"\"" : item);
    shown.put(path, drawn.isList() ? "[" + String.join(", ", texts) + "]" : texts.get(0));
  }

  private boolean isBlock(String item) {
    return BLOCK.matcher(item).matches() && random.nextInt(20) == 0;
  }

  private String text(Item item) {
    if (normal) {
      return item.texts().get(0);
    }
    return random.nextInt(12) == 0
        ? "${" + DrawnFile.variable(item) + "}"
        : item.texts().get(random.nextInt(item.texts().size()));
  }

  private String scalar(String item, boolean enclosed) {
    if (normal) {
      return doublyQuoted(item);
    }
    boolean plain = PLAIN.matcher(item).matches() && !NO_WORD.matcher(item).matches();
    if (plain && random.nextInt(3) > 0 && !(enclosed && item.startsWith("-"))) {
      return item;
    }
    return QUOTABLE.matcher(item).matches() && random.nextBoolean()
        ? "'" + item.replace("'", "''") + "'"
        : doublyQuoted(item);
  }

  private String doublyQuoted(String item) {
    return quoted(item, () -> !normal && random.nextInt(30) == 0);
  }

  /** Between double quotes, with every escape that is needed. */
  static String quoted(String item) {
    return quoted(item, () -> false);
  }

  private static String quoted(String item, BooleanSupplier escape) {
    var quoted = new StringBuilder("\"");
    item.codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c > '~' || escape.getAsBoolean()) {
                quoted.append((c > 0xffff ? "\\U%08x" : "\\u%04x").formatted(c));
              } else {
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
              }
            });
    return quoted.append('"').toString();
  }

  private void put(String piece) {
    text.append(piece);
    piece
        .codePoints()
        .forEach(
            c -> {
              line += c == '\n' ? 1 : 0;
              column = c == '\n' ? 1 : column + 1;
            });
  }

  private Spot spot() {
    return new Spot(line, column);
  }

  String text() {
    return text.toString();
  }

  Spot key(String path) {
    return Objects.requireNonNull(keys.get(path), path);
  }

  Spot value(String path) {
    return Objects.requireNonNull(values.get(path), path);
  }

  Spot repeated(String path) {
    return Objects.requireNonNull(repeated.get(path), path);
  }

  /** The value as it stands in the file, without YAML's quotes. */
  @Nullable String shown(String path) {
    return shown.get(path);
  }
}
