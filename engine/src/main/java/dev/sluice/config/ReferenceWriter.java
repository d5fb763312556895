package dev.sluice.config;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Rows;
import dev.sluice.config.Key.Traits;
import org.jspecify.annotations.Nullable;

/** Writes docs/configuration.md out of the schema. Confined to one writing. */
final class ReferenceWriter {

  private static final String HEADER =
      """
      # Configuration

      This file is written by the build out of the schema in the code: do not edit it. Every key of
      `sluice.yaml` stands here once. A duration, a size and a rate need their unit; `0` alone is
      taken where it means off. `${NAME}` in a value is replaced by the environment variable. A key
      that is unknown, stands twice or has no effect is an error that names its line and column.

      A key that is not in this build yet is known and has the value shown; any other is refused.
      """;

  private final StringBuilder text = new StringBuilder(HEADER);

  /** The whole reference, Markdown. */
  String write() {
    table(Schema.ROOT, "", false);
    return text.toString();
  }

  private void table(Group group, String path, boolean unbuilt) {
    boolean heading = false;
    for (Key key : group.keys()) {
      if (key instanceof Leaf leaf) {
        if (!heading) {
          columns();
          heading = true;
        }
        row(leaf, path, unbuilt ? group.later() : null);
      }
    }
    for (Key key : group.keys()) {
      if (key instanceof Group inner) {
        section(inner, path + inner.name());
      } else if (key instanceof Rows rows) {
        section(rows, path + rows.name() + "[]");
        table(rows.item(), path + rows.name() + "[].", false);
      }
    }
  }

  private void section(Group group, String path) {
    section((Key) group, path);
    table(group, path + ".", group.later() != null);
  }

  private void section(Key key, String path) {
    int dots = (int) path.chars().filter(c -> c == '.').count();
    text.append("\n")
        .append("#".repeat(Math.min(4, 2 + dots)))
        .append(" `")
        .append(path)
        .append("`\n\n")
        .append(key.meaning())
        .append(" (")
        .append(key.rows())
        .append(")\n");
  }

  private void columns() {
    text.append("\n| Key | Type | Unit | Default | Meaning | Rows | In this build |\n");
    text.append("|---|---|---|---|---|---|---|\n");
  }

  private void row(Leaf leaf, String path, @Nullable String section) {
    text.append("| `").append(path).append(leaf.name()).append("` | ");
    text.append(cell(leaf.type().name())).append(" | ");
    text.append(leaf.type().unit()).append(" | ");
    text.append(byDefault(leaf)).append(" | ");
    text.append(cell(leaf.meaning())).append(" | ");
    text.append(leaf.rows()).append(" | ");
    text.append(built(leaf, section)).append(" |\n");
  }

  private static String byDefault(Leaf leaf) {
    if (leaf.byDefault() != null) {
      return "`" + leaf.byDefault() + "`";
    }
    return leaf.traits() == Traits.REQUIRED ? "required" : "absent";
  }

  private static String built(Leaf leaf, @Nullable String section) {
    if (section != null) {
      return "not yet (" + section + ")";
    }
    if (leaf.later() != null) {
      return "not yet (" + leaf.later() + ")";
    }
    return leaf.laterWords().isEmpty()
        ? "yes"
        : "yes, without "
            + String.join(", ", leaf.laterWords().keySet().stream().sorted().toList());
  }

  private static String cell(String words) {
    return words.replace("|", "\\|");
  }
}
