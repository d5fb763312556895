package dev.sluice.config;

import dev.sluice.config.Parsed.Bad;
import dev.sluice.config.Parsed.Good;
import dev.sluice.governor.classify.Route;
import dev.sluice.net.IpAddress;
import dev.sluice.net.IpNetwork;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The types that keys of the schema have. Stateless. */
final class Types {

  private static final Pattern HOST =
      Pattern.compile("(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?");
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
  private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,63}");
  private static final Pattern COOKIE_NAME =
      Pattern.compile("[!#$%&'+.^_`|~0-9A-Za-z-]{1,128}\\*?|\\*");
  private static final Pattern PARAMETER = Pattern.compile("[\\x21-\\x7e&&[^&=#]]{1,256}");
  private static final Pattern RELEASE = Pattern.compile("[\\x21-\\x7e]{0,128}");
  private static final Pattern ITEMS = Pattern.compile("\\s*,\\s*");

  private Types() {}

  static ValueType text() {
    return ValueType.of("text", "", Good::new);
  }

  /** A file's path. */
  static ValueType path() {
    return ValueType.of(
        "file",
        "",
        text -> {
          String wrong = text.isEmpty() ? "is empty" : wrongInPath(text);
          return wrong.isEmpty() ? new Good(text) : new Bad(wrong, "a file's path", "");
        });
  }

  /** What keeps a text from naming a file on this machine; empty = nothing. */
  private static String wrongInPath(String text) {
    if (text.chars().anyMatch(c -> c < ' ')) {
      return "has a control character";
    }
    try {
      Path unused = Path.of(text);
      return "";
    } catch (InvalidPathException e) {
      // Letters that the process's own encoding lacks, as é under LANG=C.
      return "has a character that no file's name has here";
    }
  }

  /** A block of addresses, or one address. */
  static ValueType network() {
    String expected = "a block as 10.0.0.0/8 or 2001:db8::/32, or an address";
    return ValueType.of(
        "network",
        "",
        text -> {
          IpNetwork network = IpNetwork.parse(text);
          if (network == null) {
            return new Bad("is not a block of addresses", expected, "");
          }
          return network.isExact()
              ? new Good(network)
              : new Bad(
                  "has bits behind its prefix", expected, "did you mean " + network.exact() + "?");
        });
  }

  /** A file's path, or the empty text for none. */
  static ValueType file() {
    return ValueType.of(
        "file, empty = none",
        "",
        text -> {
          String wrong = wrongInPath(text);
          return wrong.isEmpty() ? new Good(text) : new Bad(wrong, "a file's path", "");
        });
  }

  /** One of {@code words}, or a file whose name shows that it is one. */
  static ValueType wordOrFile(String... words) {
    List<String> known = List.of(words);
    String expected = String.join(", ", words) + ", or a file as ./access.log";
    return ValueType.of(
        String.join(" | ", words) + " | file",
        "",
        text -> {
          String wrong = text.isEmpty() ? "is empty" : wrongInPath(text);
          if (!wrong.isEmpty()) {
            return new Bad(wrong, expected, "");
          }
          boolean file = text.indexOf('/') >= 0 || text.indexOf('.') >= 0;
          return file || known.contains(text)
              ? new Good(text)
              : new Bad(
                  "is not one of the words, and no file's name", expected, meant(text, known));
        });
  }

  private static String meant(String text, List<String> words) {
    String lower = text.toLowerCase(Locale.ROOT);
    boolean off = List.of("off", "false", "no", "null").contains(lower) && words.contains("none");
    return off
        ? "did you mean none?"
        : Nearest.of(lower, words)
            .map(word -> "did you mean " + word + "?")
            .orElse("a file of that name is ./" + text);
  }

  static ValueType flag() {
    return choice("true | false", List.of("true", "false"), Boolean::valueOf);
  }

  static ValueType choice(String... words) {
    return choice(String.join(" | ", words), List.of(words), word -> word);
  }

  private static ValueType choice(String name, List<String> words, Function<String, Object> value) {
    return ValueType.of(
        name,
        "",
        text ->
            words.contains(text)
                ? new Good(value.apply(text))
                : new Bad(
                    "is not one of the words",
                    String.join(" | ", words),
                    Nearest.of(text, words).map(word -> "did you mean " + word + "?").orElse("")));
  }

  static ValueType count(int smallest, int largest) {
    return ValueType.of("number", "", text -> whole(text, smallest, largest));
  }

  static ValueType percent(int smallest) {
    return ValueType.of("number", "%", text -> whole(text, smallest, 100));
  }

  private static Parsed whole(String text, int smallest, int largest) {
    String expected =
        largest == Integer.MAX_VALUE
            ? "a whole number, at least " + smallest
            : "a whole number from " + smallest + " to " + largest;
    if (!WHOLE.matcher(text).matches()) {
      return new Bad("is not a whole number", expected, "");
    }
    long number = Long.parseLong(text);
    return number < smallest || number > largest
        ? new Bad("is out of range", expected, "")
        : new Good((int) number);
  }

  static ValueType duration() {
    return ValueType.of("duration", "ms, s, m, h", text -> Units.duration(text, false));
  }

  static ValueType durationUpTo(Duration longest) {
    return ValueType.of(
        "duration",
        "ms, s, m, h",
        text -> {
          Parsed parsed = Units.duration(text, false);
          boolean longer =
              parsed instanceof Good good && ((Duration) good.value()).compareTo(longest) > 0;
          return longer ? new Bad("is too long", "at most " + Units.print(longest), "") : parsed;
        });
  }

  static ValueType durationOrOff() {
    return ValueType.of("duration, 0 = off", "ms, s, m, h", text -> Units.duration(text, true));
  }

  static ValueType size(String smallest, String largest) {
    long least = bytes(smallest);
    long most = bytes(largest);
    return ValueType.of(
        "size",
        "B, KiB, MiB, GiB",
        text -> {
          Parsed parsed = Units.size(text);
          boolean outside =
              parsed instanceof Good good
                  && ((Long) good.value() < least || (Long) good.value() > most);
          return outside
              ? new Bad("is out of range", "from " + smallest + " to " + largest, "")
              : parsed;
        });
  }

  private static long bytes(String size) {
    return Units.size(size) instanceof Good good ? (Long) good.value() : 0;
  }

  static ValueType rate() {
    return ValueType.of("rate, 0 = off", "B/s, KiB/s, MiB/s, GiB/s", Units::rate);
  }

  /** The word {@code auto}, or what {@code type} reads. */
  static ValueType auto(ValueType type) {
    return ValueType.of(
        "auto | " + type.name(),
        type.unit(),
        text -> {
          if (text.equals("auto")) {
            return new Good(Auto.AUTO);
          }
          return type.parse(text) instanceof Bad bad
              ? new Bad(bad.wrong(), "auto, or " + bad.expected(), bad.remedy())
              : type.parse(text);
        });
  }

  static ValueType listen() {
    return ValueType.of("host:port", "", text -> Addresses.parse(text, 0));
  }

  /** An address, or the empty text for none; the value is an Optional. */
  static ValueType listenOrNone() {
    return ValueType.of(
        "host:port, empty = none",
        "",
        text -> {
          if (text.isEmpty()) {
            return new Good(Optional.empty());
          }
          Parsed parsed = Addresses.parse(text, 0);
          return parsed instanceof Good good ? new Good(Optional.of(good.value())) : parsed;
        });
  }

  static ValueType upstream() {
    return ValueType.of("host:port", "", text -> Addresses.parse(text, 1));
  }

  static ValueType host() {
    return matching(
        "host name or *.suffix",
        HOST,
        "is not a host name",
        "a name as www.example.com or *.example.com, without port",
        true);
  }

  /** A name for SNI, which knows no addresses (RFC 6066 3). */
  static ValueType serverName() {
    String expected = "a name as origin.example.com";
    return ValueType.of(
        "host name",
        "",
        text -> {
          if (IpAddress.parse(text) != null) {
            return new Bad("is an address, which TLS does not ask for by name", expected, "");
          }
          boolean name = HOST.matcher(text).matches() && !text.startsWith("*.");
          return name
              ? new Good(text.toLowerCase(Locale.ROOT))
              : new Bad(text.isEmpty() ? "is empty" : "is not a host name", expected, "");
        });
  }

  /** The name of a header field, in lower case (RFC 9110 5.1). */
  static ValueType fieldName() {
    return matching(
        "field name",
        FIELD_NAME,
        "is not a field name",
        "a name as accept-language, at most 63 characters",
        true);
  }

  /** A cookie's name, or the beginning of names with {@code *} behind. */
  static ValueType cookieName() {
    return matching(
        "cookie name or prefix*",
        COOKIE_NAME,
        "is not a cookie's name",
        "a name as _ga, or a prefix as _ga*",
        false);
  }

  /** The name of a query parameter, as it stands in the query: nothing is decoded. */
  static ValueType parameter() {
    return matching(
        "parameter name",
        PARAMETER,
        "is not a parameter's name",
        "a name as it stands in the query, without & and =",
        false);
  }

  /** A word for a release of the application, or the empty text. */
  static ValueType release() {
    return matching(
        "text",
        RELEASE,
        "is not a plain word",
        "at most 128 printable characters without blanks",
        false);
  }

  /** A text of a fixed alphabet, such as a name that becomes a label. */
  static ValueType matching(
      String name, Pattern pattern, String wrong, String expected, boolean lowerCase) {
    return ValueType.of(
        name,
        "",
        text ->
            pattern.matcher(text).matches()
                ? new Good(lowerCase ? text.toLowerCase(Locale.ROOT) : text)
                : new Bad(text.isEmpty() ? "is empty" : wrong, expected, ""));
  }

  /** A route's path: exact, or a prefix with the suffix {@code /**} (RTE-04 to RTE-06). */
  static ValueType match() {
    String expected = "a path as /search, or a prefix as /products/**";
    return ValueType.of(
        "path or prefix",
        "",
        text -> {
          String exact = text.endsWith("/**") ? text.substring(0, text.length() - 3) : text;
          if (!text.startsWith("/")) {
            return new Bad("does not begin with a slash", expected, "");
          }
          if (exact.indexOf('*') >= 0) {
            return new Bad("has a wildcard that is not its end", expected, "end it with /**");
          }
          if (exact.chars().anyMatch(c -> c <= ' ' || c == '?' || c == '#' || c == '%')) {
            return new Bad(
                "is not a decoded path", expected, "leave out query, blanks and % escapes");
          }
          return !Route.isReachable(text)
              ? new Bad(
                  "matches nothing: such a target is ambiguous, and goes to the private catch-all",
                  expected,
                  "leave out ; and \\ and empty or dot segments")
              : new Good(text);
        });
  }

  static ValueType list(ValueType item) {
    return new ValueType("list of " + item.name(), item.unit(), text -> items(item, text), item);
  }

  /** A default as the schema writes it, {@code [a, b]}; files go item by item. */
  private static Parsed items(ValueType item, String text) {
    String inner = text.substring(1, text.length() - 1).strip();
    List<Object> values = new ArrayList<>();
    if (!inner.isEmpty()) {
      Arrays.stream(ITEMS.split(inner, -1))
          .map(item::parse)
          .forEach(
              parsed -> {
                if (parsed instanceof Good good) {
                  values.add(good.value());
                }
              });
    }
    return new Good(List.copyOf(values));
  }
}
