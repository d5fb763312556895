package dev.sluice.config;

import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import dev.sluice.net.IpNetwork;
import dev.sluice.net.NetSettings.Address;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value of a key's type and texts that mean it, within the bounds that the type itself names.
 * Immutable.
 *
 * @param value what all its texts have to be read as
 * @param items one for each item of a list, else one
 */
record DrawnValue(Object value, List<Item> items, boolean isList) {

  private static final Pattern RANGE = Pattern.compile("from (\\d+)(\\w*) to (\\d+)(\\w*)");
  private static final Pattern AUTO = Pattern.compile("auto \\| (number|duration)(, 0 = off)?");
  private static final Pattern LEAST = Pattern.compile("at least (\\d+)");
  private static final Map<String, Long> MILLIS = units("h", 3_600_000, "m", 60_000, "s", 1000);
  private static final Map<String, Long> BYTES =
      units("GiB", 1L << 30, "MiB", 1L << 20, "KiB", 1L << 10);
  private static final long LONGEST = 10L * 365 * 24 * 3_600_000;
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

  /** Spellings of one value, the normal one first. */
  record Item(Object value, List<String> texts) {

    static Item of(Object value, String... texts) {
      return new Item(value, List.of(texts));
    }
  }

  private static Map<String, Long> units(
      String large, long first, String middle, long second, String small, long third) {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put(large, first);
    units.put(middle, second);
    units.put(small, third);
    return units;
  }

  /** A value that {@code leaf} takes in this build, whatever the other keys say. */
  static DrawnValue of(Leaf leaf, Random random) {
    if (leaf.later() != null) {
      String text = Objects.requireNonNull(leaf.accepted()).replace("\"\"", "");
      Item item = Item.of(((Good) leaf.type().parse(text)).value(), text);
      return new DrawnValue(item.value(), List.of(item), false);
    }
    ValueType each = leaf.type().item();
    if (each == null) {
      Item item = item(leaf, leaf.type(), random);
      return new DrawnValue(item.value(), List.of(item), false);
    }
    List<Item> items = new ArrayList<>();
    for (int n = least(leaf) + random.nextInt(3); n > 0; n--) {
      Item item = item(leaf, each, random);
      if (items.stream().noneMatch(other -> other.value().equals(item.value()))) {
        items.add(item);
      }
    }
    return new DrawnValue(items.stream().map(Item::value).toList(), items, true);
  }

  private static int least(Leaf leaf) {
    return leaf.traits() == Key.Traits.REQUIRED ? 1 : 0;
  }

  private static Item item(Leaf leaf, ValueType type, Random random) {
    String name = type.name();
    if (AUTO.matcher(name).matches()) {
      // What is behind auto is read by the same type.
      return random.nextInt(4) == 0
          ? Item.of(Auto.AUTO, "auto")
          : quantity(name.substring(7), type, random);
    }
    return switch (name) {
      case "true | false" -> flag(random.nextBoolean());
      case "number", "duration", "duration, 0 = off", "size", "rate, 0 = off" ->
          quantity(name, type, random);
      case "host:port" -> address(random);
      case "host:port, empty = none" -> random.nextInt(3) == 0 ? none() : maybe(address(random));
      case "network" -> network(random);
      case "host name or *.suffix", "host name", "field name" -> lowered(name, random);
      case "auto | none | name" -> text(pick(random, "auto", "none", "edge-" + word(random)));
      case "stdout | none | file" -> text(pick(random, "stdout", "none", "./" + word(random)));
      case "file, empty = none" -> text(pick(random, "", "pom.xml", "./pom.xml"));
      case "file" -> text("/none/" + word(random) + ".pem");
      case "cookie name or prefix*" -> text(pick(random, "_" + word(random), word(random) + "*"));
      case "parameter name" -> text(pick(random, word(random), "%5B" + word(random), "a,b"));
      case "path or prefix" -> text("/" + word(random) + pick(random, "", "/**"));
      case "name" -> text(word(random));
      case "text" -> text(free(leaf, random));
      default -> choice(leaf, type, random);
    };
  }

  private static Item text(String text) {
    return Item.of(text, text);
  }

  private static Item flag(boolean value) {
    return Item.of(value, String.valueOf(value));
  }

  private static Item none() {
    return Item.of(Optional.empty(), "");
  }

  private static Item maybe(Item item) {
    return new Item(Optional.of(item.value()), item.texts());
  }

  private static Item choice(Leaf leaf, ValueType type, Random random) {
    List<String> words =
        Arrays.stream(expected(type, "?").split(" \\| "))
            .filter(word -> !leaf.laterWords().containsKey(word))
            .toList();
    return text(words.get(random.nextInt(words.size())));
  }

  private static Item address(Random random) {
    int port = 1 + random.nextInt(65_535);
    return switch (random.nextInt(4)) {
      case 0 -> Item.of(new Address("::1", port), "[::1]:" + port);
      case 1 -> Item.of(new Address("fd00::ab", port), "[fd00::ab]:" + port, "[FD00::AB]:" + port);
      case 2 -> {
        String name = word(random) + ".internal:" + port;
        yield Item.of(
            new Address(name.substring(0, name.indexOf(':')), port),
            name,
            name.toUpperCase(Locale.ROOT));
      }
      default -> {
        String host = "10.0." + random.nextInt(256) + "." + random.nextInt(256);
        yield Item.of(new Address(host, port), host + ":" + port);
      }
    };
  }

  private static Item network(Random random) {
    int octet = random.nextInt(256);
    String text = pick(random, "10." + octet + ".0.0/16", "fd" + "%02x".formatted(octet) + "::/16");
    return Item.of(Objects.requireNonNull(IpNetwork.parse(text)), text);
  }

  private static Item lowered(String type, Random random) {
    String name =
        switch (type) {
          case "field name" -> "x-" + word(random);
          case "host name" -> word(random) + ".example";
          default -> pick(random, "", "*.") + word(random) + ".example";
        };
    return Item.of(name, name, name.toUpperCase(Locale.ROOT));
  }

  private static String free(Leaf leaf, Random random) {
    return switch (leaf.name()) {
      case "path" -> "/" + word(random);
      case "token" -> pick(random, "", (word(random) + "0123456789abcdef").repeat(3));
      case "command" -> word(random) + wild(random);
      default -> word(random);
    };
  }

  /** What YAML has other uses for. */
  private static String wild(Random random) {
    var text = new StringBuilder();
    for (int n = random.nextInt(4); n > 0; n--) {
      text.append(
          pick(random, ", ", ": ", " #", "'", "\"", "\\", "\n", "\t", "é", "[", "}", "$", "- "));
    }
    return text.toString();
  }

  private static Item quantity(String name, ValueType type, Random random) {
    return switch (name) {
      case "number" -> count(type, random);
      case "size" -> size(type, random);
      case "rate, 0 = off" -> rate(random);
      default -> duration(type, name.endsWith("off"), random);
    };
  }

  private static Item count(ValueType type, Random random) {
    String expected = expected(type, "?");
    Matcher range = RANGE.matcher(expected);
    Matcher least = LEAST.matcher(expected);
    boolean bounded = range.find();
    if (!bounded && !least.find()) {
      throw new AssertionError(expected);
    }
    long from = Long.parseLong(bounded ? range.group(1) : least.group(1));
    long to = bounded ? Long.parseLong(range.group(3)) : Integer.MAX_VALUE;
    int value = (int) between(from, to, 200, random);
    return Item.of(value, String.valueOf(value));
  }

  private static Item size(ValueType type, Random random) {
    Matcher range = RANGE.matcher(expected(type, "0B"));
    if (!range.find()) {
      throw new AssertionError(type.name());
    }
    long from = Long.parseLong(range.group(1)) * BYTES.getOrDefault(range.group(2), 1L);
    long to = Long.parseLong(range.group(3)) * BYTES.getOrDefault(range.group(4), 1L);
    long unit = from >= 1024 && random.nextInt(4) > 0 ? 1024 : 1;
    long value = between(from / unit, to / unit, 100_000, random) * unit;
    return spelled(value, value, BYTES, "B", "");
  }

  private static Item rate(Random random) {
    long value = random.nextInt(3) == 0 ? random.nextInt(3000) : 1024L * random.nextInt(3000);
    Item item = spelled(value, value, BYTES, "B", "/s");
    return value == 0 ? with(item, "0") : item;
  }

  private static Item duration(ValueType type, boolean zeroIsOff, Random random) {
    boolean short30 = type.parse("31s") instanceof Bad;
    long to = short30 ? 30_000 : random.nextInt(8) == 0 ? LONGEST : 100_000;
    long unit = random.nextBoolean() ? 1000 : 1;
    long millis = between(zeroIsOff ? 0 : 1, to / unit, 100_000, random) * unit;
    Item item = spelled(Duration.ofMillis(millis), millis, MILLIS, "ms", "");
    return millis == 0 ? with(item, "0") : item;
  }

  /** In the largest unit that leaves no rest, and in all smaller ones. */
  private static Item spelled(
      Object value, long number, Map<String, Long> units, String smallest, String behind) {
    List<String> texts = new ArrayList<>();
    units.forEach(
        (unit, factor) -> {
          if (number % factor == 0) {
            texts.add(number / factor + unit + behind);
          }
        });
    texts.add(number + smallest + behind);
    return new Item(value, texts);
  }

  private static Item with(Item item, String text) {
    List<String> texts = new ArrayList<>(item.texts());
    texts.add(text);
    return new Item(item.value(), texts);
  }

  /** Often near the lower bound, now and then a bound itself. */
  private static long between(long from, long to, long near, Random random) {
    return switch (random.nextInt(16)) {
      case 0 -> from;
      case 1 -> to;
      default -> from + random.nextLong(Math.min(near, to - from) + 1);
    };
  }

  private static String expected(ValueType type, String wrong) {
    return ((Bad) type.parse(wrong)).expected();
  }

  static String word(Random random) {
    var word = new StringBuilder();
    for (int n = 3 + random.nextInt(5); n > 0; n--) {
      word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return word.toString();
  }

  static String pick(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }
}
