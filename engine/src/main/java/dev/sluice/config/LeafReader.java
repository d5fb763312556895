package dev.sluice.config;

import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Traits;
import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import dev.sluice.config.Value.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads one value under its key's type. Confined to one reading. */
final class LeafReader {

  private static final int MOST_ITEMS = 10_000;

  private final Placeholders placeholders;
  private final Values values;
  private final Problems problems;

  LeafReader(Placeholders placeholders, Values values, Problems problems) {
    this.placeholders = placeholders;
    this.values = values;
    this.problems = problems;
  }

  void read(Leaf leaf, String keyPath, Node.Entry entry, boolean unbuilt) {
    Optional<Value> read =
        leaf.type().item() == null
            ? scalar(leaf, keyPath, entry)
            : list(leaf, leaf.type().item(), keyPath, entry);
    if (read.isEmpty()) {
      values.broken(keyPath);
      absent(leaf, keyPath, entry.spot());
      return;
    }
    values.put(read.get());
    if (!unbuilt) {
      refuseUnbuilt(leaf, read.get(), entry.value().spot());
    }
  }

  private Optional<Value> scalar(Leaf leaf, String keyPath, Node.Entry entry) {
    if (!(entry.value() instanceof Node.Scalar scalar)) {
      wrongKind(leaf, keyPath, entry.value());
      return Optional.empty();
    }
    String shown = shown(leaf, scalar.text());
    return parse(leaf, leaf.type(), keyPath, scalar)
        .map(value -> new Value(keyPath, value, quoted(shown), source(scalar), entry.spot()));
  }

  private Optional<Value> list(Leaf leaf, ValueType item, String keyPath, Node.Entry entry) {
    if (!(entry.value() instanceof Node.Sequence sequence)
        || sequence.items().size() > MOST_ITEMS) {
      wrongKind(leaf, keyPath, entry.value());
      return Optional.empty();
    }
    List<Object> read = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    Source source = Source.FILE;
    for (int i = 0; i < sequence.items().size(); i++) {
      String itemPath = keyPath + "[" + i + "]";
      if (sequence.items().get(i) instanceof Node.Scalar scalar) {
        parse(leaf, item, itemPath, scalar).ifPresent(read::add);
        shown.add(quoted(shown(leaf, scalar.text())));
        source = source(scalar) == Source.ENVIRONMENT ? Source.ENVIRONMENT : source;
      } else {
        Node wrong = sequence.items().get(i);
        problems.error(
            wrong.spot(), itemPath, wrong.kind() + " is here (expected: a single value)", "");
      }
    }
    if (read.size() < sequence.items().size()) {
      return Optional.empty();
    }
    return Optional.of(
        new Value(
            keyPath,
            List.copyOf(read),
            "[" + String.join(", ", shown) + "]",
            source,
            entry.spot()));
  }

  private Optional<Object> parse(Leaf leaf, ValueType type, String keyPath, Node.Scalar scalar) {
    Optional<String> filled = placeholders.fill(scalar, keyPath, problems);
    if (filled.isEmpty()) {
      return Optional.empty();
    }
    Parsed parsed = type.parse(filled.get());
    if (parsed instanceof Good good) {
      return Optional.of(good.value());
    }
    Bad bad = (Bad) parsed;
    // A remedy may quote the text, which an environment's value and a secret forbid.
    boolean hidden = Placeholders.isUsedBy(scalar.text()) || leaf.traits() == Traits.SECRET;
    problems.error(
        scalar.spot(),
        keyPath,
        bad.message(shown(leaf, scalar.text())),
        hidden ? "" : bad.remedy());
    return Optional.empty();
  }

  private void wrongKind(Leaf leaf, String keyPath, Node node) {
    String expected = leaf.type().item() == null ? "a single value, " : "";
    String remedy =
        node instanceof Node.Scalar scalar && leaf.type().item() != null
            ? "write [" + shown(leaf, scalar.text()) + "]"
            : "";
    problems.error(
        node.spot(),
        keyPath,
        node.kind() + " is here (expected: " + expected + leaf.type().name() + ")",
        node instanceof Node.Empty ? "write a value or leave the key out" : remedy);
  }

  private void refuseUnbuilt(Leaf leaf, Value value, Spot spot) {
    String feature = value.value() instanceof String word ? leaf.laterWords().get(word) : null;
    if (feature == null && leaf.later() != null && !value.value().equals(accepted(leaf))) {
      feature = leaf.later();
    }
    if (feature != null) {
      String only = leaf.later() == null ? leaf.byDefault() : leaf.accepted();
      problems.error(
          spot,
          value.keyPath(),
          value.shown() + ": not in this build yet (" + feature + ")",
          only == null ? "leave the key out" : "leave the key out, or write " + only);
    }
  }

  private static Object accepted(Leaf leaf) {
    String text = leaf.accepted();
    return text == null ? Optional.empty() : byDefault(leaf, text);
  }

  /** What holds without the key; nothing, if it has no default. */
  void absent(Leaf leaf, String keyPath, Spot around) {
    String text = leaf.byDefault();
    if (text != null) {
      values.put(new Value(keyPath, byDefault(leaf, text), text, Source.DEFAULT, around));
    } else if (leaf.traits() == Traits.REQUIRED && !values.written(keyPath)) {
      problems.error(
          around,
          keyPath,
          "the key is missing (expected: " + leaf.type().name() + ")",
          remedy(leaf));
    }
  }

  private static String remedy(Leaf leaf) {
    return switch (leaf.name()) {
      case "version" -> "write version: 1";
      case "upstreams" -> "write the application's address, as upstreams: [\"127.0.0.1:3000\"]";
      default -> "add it";
    };
  }

  private static Object byDefault(Leaf leaf, String text) {
    String bare = text.equals("\"\"") ? "" : text;
    if (leaf.type().parse(bare) instanceof Good good) {
      return good.value();
    }
    throw new IllegalStateException(leaf.name() + ": its default does not fit: " + text);
  }

  private static Source source(Node.Scalar scalar) {
    return Placeholders.isUsedBy(scalar.text()) ? Source.ENVIRONMENT : Source.FILE;
  }

  private static String shown(Leaf leaf, String text) {
    boolean hidden =
        leaf.traits() == Traits.SECRET && !text.isEmpty() && !Placeholders.isUsedBy(text);
    return hidden ? "(hidden)" : text;
  }

  private static String quoted(String text) {
    return text.isEmpty() ? "\"\"" : text;
  }
}
