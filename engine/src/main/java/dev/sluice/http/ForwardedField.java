package dev.sluice.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Forwarded field (RFC 7239 4) from its right end, where the nearest hop wrote. What a
 * client put before it, an open quote say, cannot change how that hop's own element reads.
 * Stateless.
 */
public final class ForwardedField {

  /**
   * One hop. Immutable.
   *
   * @param forNode who the hop got the request from, quotes taken off, with its port if one was
   *     given; null where it does not say
   * @param proto how, in lower case; null where it does not say
   */
  public record Element(@Nullable String forNode, @Nullable String proto) {}

  /** How many commas an element may have in its quoted strings. */
  private static final int COMMAS_MAX = 4;

  private ForwardedField() {}

  /**
   * The elements of all lines, the last one first; {@code most} of them, or fewer where one is
   * malformed.
   */
  public static List<Element> fromTheRight(List<String> lines, int most) {
    List<Element> elements = new ArrayList<>();
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (!read(lines.get(i), most, elements)) {
        break;
      }
    }
    return elements;
  }

  private static boolean read(String line, int most, List<Element> elements) {
    int end = line.length();
    while (end >= 0) {
      if (elements.size() >= most) {
        return false;
      }
      int comma = end;
      var element = new ElementReader("");
      boolean sound = false;
      for (int tries = 0; tries <= COMMAS_MAX && comma >= 0 && !sound; tries++) {
        comma = line.lastIndexOf(',', comma - 1);
        element = new ElementReader(line.substring(comma + 1, end));
        sound = element.isEmpty() || element.read();
      }
      if (!sound) {
        return false;
      }
      if (!element.isEmpty()) {
        elements.add(new Element(element.forNode, element.proto));
      }
      end = comma;
    }
    return true;
  }

  /** One element's reading. */
  private static final class ElementReader {

    private final String text;
    private int at;
    private @Nullable String forNode;
    private @Nullable String proto;

    ElementReader(String text) {
      this.text = text;
    }

    /** RFC 9110 5.6.1: a list may have empty elements. */
    boolean isEmpty() {
      return text.isBlank();
    }

    boolean read() {
      while (pair()) {
        skipBlanks();
        if (at == text.length()) {
          return true;
        }
        if (text.charAt(at++) != ';') {
          return false;
        }
      }
      return false;
    }

    /** RFC 7239 4: each parameter at most once in an element. */
    private boolean pair() {
      skipBlanks();
      String name = token();
      if (name.isEmpty() || at == text.length() || text.charAt(at) != '=') {
        return false;
      }
      at++;
      String value = at < text.length() && text.charAt(at) == '"' ? quoted() : token();
      if (value == null || value.isEmpty()) {
        return false;
      }
      return take(name.toLowerCase(Locale.ROOT), value);
    }

    private boolean take(String name, String value) {
      if (name.equals("for")) {
        boolean once = forNode == null;
        forNode = value;
        return once;
      }
      if (name.equals("proto")) {
        boolean once = proto == null;
        proto = value.toLowerCase(Locale.ROOT);
        return once;
      }
      return true;
    }

    private String token() {
      int start = at;
      while (at < text.length() && Text.isTokenCharacter(text.charAt(at))) {
        at++;
      }
      return text.substring(start, at);
    }

    /** RFC 9110 5.6.4; null where it has no end. */
    private @Nullable String quoted() {
      var value = new StringBuilder();
      for (int i = at + 1; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '"') {
          at = i + 1;
          return value.toString();
        }
        if (c == '\\' && ++i == text.length()) {
          return null;
        }
        value.append(text.charAt(i));
      }
      return null;
    }

    private void skipBlanks() {
      at = Text.skipSpace(text, at, text.length());
    }
  }
}
