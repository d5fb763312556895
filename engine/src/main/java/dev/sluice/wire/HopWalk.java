package dev.sluice.wire;

import dev.sluice.http.FieldName;
import dev.sluice.http.ForwardedField;
import dev.sluice.http.ForwardedField.Element;
import dev.sluice.http.Headers;
import dev.sluice.net.IpAddress;
import dev.sluice.wire.TrustSettings.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Walks the hops that a trusted peer names, from the right, and stops at the first that is not
 * trusted (PRX-29): left of it stands what anybody may have written. A hop that names no address
 * ends the walk at the one before it. Immutable; one walk.
 *
 * @param client the address where the walk ended; the peer's own where no hop is named
 * @param scheme http or https, as the hop says that saw the client; null where none does
 */
record HopWalk(IpAddress client, @Nullable String scheme) {

  /** Longer chains are no chains of proxies; what is left of it is not looked at. */
  private static final int HOPS_MAX = 64;

  static HopWalk of(TrustSettings trust, Headers headers, IpAddress peer) {
    List<Element> elements =
        trust.clientIp() == Source.FORWARDED || trust.scheme() == Source.FORWARDED
            ? ForwardedField.fromTheRight(headers.all(FieldName.FORWARDED), HOPS_MAX)
            : List.of();
    List<@Nullable String> nodes =
        switch (trust.clientIp()) {
          case X_FORWARDED -> fromTheRight(headers.all(FieldName.X_FORWARDED_FOR));
          case FORWARDED -> listOf(elements, true);
          case NONE -> List.of();
        };
    IpAddress client = peer;
    int hops = 0;
    for (String node : nodes) {
      IpAddress named = node == null ? null : address(node);
      if (named == null) {
        break;
      }
      client = named;
      hops++;
      if (!trust.trusts(named)) {
        break;
      }
    }
    List<@Nullable String> schemes =
        switch (trust.scheme()) {
          case X_FORWARDED -> fromTheRight(headers.all(FieldName.X_FORWARDED_PROTO));
          case FORWARDED -> listOf(elements, false);
          case NONE -> List.of();
        };
    return new HopWalk(client, scheme(schemes, hops));
  }

  /** What the hop says that named the client; one word alone is the nearest hop's for all. */
  private static @Nullable String scheme(List<@Nullable String> schemes, int hops) {
    if (schemes.isEmpty()) {
      return null;
    }
    String word = schemes.get(Math.min(Math.max(hops, 1), schemes.size()) - 1);
    if (word == null) {
      return null;
    }
    // PRX-32: nothing else survives, whoever says it.
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "https" -> "https";
      case "http" -> "http";
      default -> null;
    };
  }

  /** The words of a comma-separated field, the last one first. */
  private static List<@Nullable String> fromTheRight(List<String> lines) {
    List<@Nullable String> words = new ArrayList<>();
    for (int i = lines.size() - 1; i >= 0; i--) {
      String line = lines.get(i);
      int end = line.length();
      while (end >= 0 && words.size() < HOPS_MAX) {
        int comma = line.lastIndexOf(',', end - 1);
        String word = line.substring(comma + 1, end).strip();
        // RFC 9110 5.6.1: a list may have empty elements.
        if (!word.isEmpty()) {
          words.add(word);
        }
        end = comma;
      }
    }
    return words;
  }

  private static List<@Nullable String> listOf(List<Element> elements, boolean nodes) {
    List<@Nullable String> words = new ArrayList<>();
    for (Element element : elements) {
      words.add(nodes ? element.forNode() : element.proto());
    }
    return words;
  }

  /**
   * The address of a node (RFC 7239 6): with or without a port, IPv6 in brackets or bare; null for
   * {@code unknown}, a name, or anything else.
   */
  static @Nullable IpAddress address(String node) {
    if (node.startsWith("[")) {
      int end = node.indexOf(']');
      boolean sound = end > 0 && node.indexOf(':') > 0 && isPort(node.substring(end + 1));
      return sound && node.substring(1, end).indexOf(':') >= 0
          ? IpAddress.parse(node.substring(1, end))
          : null;
    }
    int colon = node.indexOf(':');
    if (colon >= 0 && colon == node.lastIndexOf(':')) {
      return isPort(node.substring(colon)) ? IpAddress.parse(node.substring(0, colon)) : null;
    }
    return IpAddress.parse(node);
  }

  /** Nothing, a number, or an obfuscated one; it is not used. */
  private static boolean isPort(String text) {
    return text.isEmpty()
        || text.length() > 1
            && text.charAt(0) == ':'
            && text.chars()
                .skip(1)
                .allMatch(c -> Character.isLetterOrDigit(c) || "._-".indexOf(c) >= 0);
  }
}
