package dev.sluice.http.caching;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A Dictionary of Structured Fields (RFC 8941 4.2.2), as far as directives need one: the syntax is
 * checked whole, of the values only integers and booleans are kept. Confined to the call that makes
 * it.
 */
final class StructuredDictionary {

  /** What a member's value is. */
  enum Type {
    TRUE,
    FALSE,
    INTEGER,
    /** A decimal, string, token, byte sequence or inner list. */
    OTHER
  }

  /**
   * A value without its parameters.
   *
   * @param number of an integer, else 0
   */
  record Member(Type type, long number) {
    private static final Member OTHER = new Member(Type.OTHER, 0);
    private static final Member TRUE = new Member(Type.TRUE, 0);
    private static final Member FALSE = new Member(Type.FALSE, 0);
  }

  private static final int MOST_INTEGER_DIGITS = 15;
  private static final int MOST_DECIMAL_DIGITS = 12;
  private static final int MOST_FRACTION_DIGITS = 3;

  private final String text;
  private int at;
  private boolean failed;

  private StructuredDictionary(String text) {
    this.text = text;
  }

  /** The members by key, the last of a key; none where {@code text} is empty or malformed. */
  static Map<String, Member> parse(String text) {
    return new StructuredDictionary(text).members();
  }

  private Map<String, Member> members() {
    var members = new LinkedHashMap<String, Member>();
    skipSpaces();
    while (!failed && at < text.length()) {
      String key = key();
      Member value = take('=') ? memberValue() : Member.TRUE;
      parameters();
      members.put(key, value);
      at = Scan.skipSpace(text, at);
      if (at < text.length()) {
        expect(',');
        at = Scan.skipSpace(text, at);
        failed |= at == text.length();
      }
    }
    return failed ? Map.of() : members;
  }

  private Member memberValue() {
    return peek() == '(' ? innerList() : bareItem();
  }

  private Member innerList() {
    expect('(');
    while (!failed) {
      skipSpaces();
      if (take(')')) {
        return Member.OTHER;
      }
      bareItem();
      parameters();
      failed |= peek() != ' ' && peek() != ')';
    }
    return Member.OTHER;
  }

  private void parameters() {
    while (!failed && take(';')) {
      skipSpaces();
      key();
      if (take('=')) {
        bareItem();
      }
    }
  }

  private Member bareItem() {
    char c = peek();
    if (c == '-' || Scan.isDigit(c)) {
      return number();
    }
    if (c == '?') {
      return bool();
    }
    if (c == '"') {
      string();
    } else if (c == ':') {
      bytes();
    } else if (c == '*' || Scan.isLower(Character.toLowerCase(c))) {
      token();
    } else {
      failed = true;
    }
    return Member.OTHER;
  }

  private Member number() {
    boolean negative = take('-');
    int from = at;
    long value = digits();
    int length = at - from;
    failed |= length == 0 || length > MOST_INTEGER_DIGITS;
    if (!take('.')) {
      return new Member(Type.INTEGER, negative ? -value : value);
    }
    int fraction = at;
    digits();
    failed |= length > MOST_DECIMAL_DIGITS || at == fraction;
    failed |= at - fraction > MOST_FRACTION_DIGITS;
    return Member.OTHER;
  }

  /** Steps over digits; what they are worth where there are few enough to be valid. */
  private long digits() {
    long value = 0;
    while (Scan.isDigit(peek())) {
      value = value * 10 + (text.charAt(at++) - '0');
    }
    return value;
  }

  private Member bool() {
    expect('?');
    if (take('1')) {
      return Member.TRUE;
    }
    expect('0');
    return Member.FALSE;
  }

  private void string() {
    expect('"');
    while (!failed && !take('"')) {
      char c = peek();
      at++;
      if (c == '\\') {
        failed |= peek() != '"' && peek() != '\\';
        at++;
      }
      failed |= c < ' ' || c > '~';
    }
  }

  private void bytes() {
    expect(':');
    while (!failed && !take(':')) {
      char c = peek();
      at++;
      failed |= !Scan.isLower(Character.toLowerCase(c)) && !Scan.isDigit(c) && "+/=".indexOf(c) < 0;
    }
  }

  private void token() {
    at++;
    while (Scan.isTokenChar(peek()) || peek() == ':' || peek() == '/') {
      at++;
    }
  }

  private String key() {
    int from = at;
    failed |= !Scan.isLower(peek()) && peek() != '*';
    while (Scan.isLower(peek()) || Scan.isDigit(peek()) || "_-.*".indexOf(peek()) >= 0) {
      at++;
    }
    return text.substring(from, Math.max(from, at));
  }

  private void skipSpaces() {
    while (peek() == ' ') {
      at++;
    }
  }

  /** The next character; NUL, which no rule allows, at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private boolean take(char c) {
    if (peek() != c) {
      return false;
    }
    at++;
    return true;
  }

  private void expect(char c) {
    failed |= !take(c);
  }
}
