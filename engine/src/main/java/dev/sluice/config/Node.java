package dev.sluice.config;

import java.util.List;

/** A piece of a YAML document that knows where it stands. Immutable. */
sealed interface Node {

  /** Where the piece begins. */
  Spot spot();

  /** What it is, as messages say it. */
  String kind();

  /** Keys with values, in the file's order, repeated keys included. */
  record Mapping(Spot spot, List<Entry> entries) implements Node {
    @Override
    public String kind() {
      return "a map";
    }
  }

  /** A list. */
  record Sequence(Spot spot, List<Node> items) implements Node {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** One value as text; the schema decides what it means, not YAML's guess. */
  record Scalar(Spot spot, String text) implements Node {
    @Override
    public String kind() {
      return "a single value";
    }
  }

  /** A key with nothing behind it, or {@code null}. */
  record Empty(Spot spot) implements Node {
    @Override
    public String kind() {
      return "nothing";
    }
  }

  /** One line of a mapping; {@code spot} is the key's. */
  record Entry(String key, Spot spot, Node value) {}
}
