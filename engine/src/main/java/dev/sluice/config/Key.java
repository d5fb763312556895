package dev.sluice.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One key of the schema; the whole schema is a tree of them. Immutable. */
sealed interface Key {

  String name();

  /** What it is for, as the reference says it. */
  String meaning();

  /** The rows that define it, as {@code DEC-37}. */
  String rows();

  /**
   * A key with a value.
   *
   * @param byDefault as it would be written; null = absent unless written
   * @param later the feature that gives the key its effect, when this build lacks it
   * @param accepted the one value that is taken while the feature is missing; null = none but the
   *     default
   * @param laterWords words of a choice that need a feature this build lacks
   * @param traits {@code required}, {@code secret}
   */
  record Leaf(
      String name,
      ValueType type,
      @Nullable String byDefault,
      String rows,
      String meaning,
      @Nullable String later,
      @Nullable String accepted,
      Map<String, String> laterWords,
      Traits traits)
      implements Key {

    static Leaf of(
        String name, ValueType type, @Nullable String byDefault, String rows, String meaning) {
      return new Leaf(
          name, type, byDefault, rows, meaning, null, byDefault, Map.of(), Traits.PLAIN);
    }

    /** The key is known, its feature is missing: only the default is taken. */
    Leaf later(String feature) {
      return later(feature, byDefault);
    }

    /** The key is known, its feature is missing: only {@code word} is taken. */
    Leaf later(String feature, @Nullable String word) {
      return new Leaf(name, type, byDefault, rows, meaning, feature, word, laterWords, traits);
    }

    /** One word of the choice needs a feature that is missing. */
    Leaf laterWord(String word, String feature) {
      Map<String, String> words = new HashMap<>(laterWords);
      words.put(word, feature);
      return new Leaf(
          name, type, byDefault, rows, meaning, later, accepted, Map.copyOf(words), traits);
    }

    Leaf required() {
      return with(Traits.REQUIRED);
    }

    Leaf secret() {
      return with(Traits.SECRET);
    }

    private Leaf with(Traits own) {
      return new Leaf(name, type, byDefault, rows, meaning, later, accepted, laterWords, own);
    }
  }

  /** What else is special about a value. */
  enum Traits {
    PLAIN,
    /** Its absence is an error. */
    REQUIRED,
    /** It is never printed. */
    SECRET
  }

  /**
   * A key with keys beneath it.
   *
   * @param absent whether there is nothing of it unless the file has the section
   * @param later for such a section: the missing feature that it turns on
   */
  record Group(
      String name,
      String rows,
      String meaning,
      boolean absent,
      @Nullable String later,
      List<Key> keys)
      implements Key {

    static Group of(String name, String rows, String meaning, Key... keys) {
      return new Group(name, rows, meaning, false, null, List.of(keys));
    }

    /** A section that is absent by default: without it none of its keys has a value. */
    static Group absent(String name, String rows, String meaning, Key... keys) {
      return new Group(name, rows, meaning, true, null, List.of(keys));
    }

    /** A section whose mere presence asks for a feature that this build lacks. */
    static Group later(String feature, String name, String rows, String meaning, Key... keys) {
      return new Group(name, rows, meaning, true, feature, List.of(keys));
    }

    Optional<Key> find(String word) {
      return keys.stream().filter(key -> key.name().equals(word)).findFirst();
    }
  }

  /** A key with a list of like groups behind it: {@code routes}. */
  record Rows(String name, String rows, String meaning, Group item) implements Key {}
}
