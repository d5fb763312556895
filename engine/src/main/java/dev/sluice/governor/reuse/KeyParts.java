package dev.sluice.governor.reuse;

import dev.sluice.governor.reuse.KeyPlan.Variant;
import dev.sluice.governor.reuse.cache.CacheKey;
import dev.sluice.http.FieldName;
import dev.sluice.http.HopByHop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key read back: the structure that its bytes stand for. Immutable.
 *
 * @param whole whether its request goes out as it came
 * @param host normalized, without the scheme's own port
 * @param query the pairs in the key, in its order; null = no question mark
 * @param limitedBot whether a crawler asks that gets its page whole
 * @param coding the content coding asked for; null in a whole request
 * @param fields request fields by name in lower case; empty = in the key, but absent
 * @param secondLevel the same for those that responses were seen to vary by
 */
record KeyParts(
    boolean whole,
    String scheme,
    String host,
    String path,
    @Nullable String query,
    String deploymentId,
    Variant variant,
    boolean limitedBot,
    @Nullable String coding,
    Map<String, Optional<String>> fields,
    Map<String, Optional<String>> secondLevel) {

  static final int VERSION = 1;
  static final int BUILT = 'b';
  static final int WHOLE = 'w';
  static final int HTTP = 'h';
  static final int HTTPS = 's';
  static final int GET = 'g';

  static final int QUERY = '?';
  static final int DEPLOYMENT = 'd';
  static final int DYNAMIC = 'n';
  static final int PRERENDERED = 'p';
  static final int LIMITED_BOT = 'l';
  static final int CODING = 'c';
  static final int FIELD = '+';
  static final int ABSENT = '-';
  static final int SECOND_LEVEL = 'v';

  static final String IDENTITY = "identity";

  /** Of the origin's own hop, or never in a request that may share. */
  private static final Set<String> NEVER_SEEN =
      Set.of(
          "host",
          "authorization",
          "content-length",
          "expect",
          "forwarded",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-range",
          "if-unmodified-since",
          "range",
          "x-forwarded-host",
          "x-forwarded-proto");

  private static final Set<String> SELECTORS =
      Set.of(
          "rsc",
          "next-router-prefetch",
          "next-router-state-tree",
          "next-router-segment-prefetch",
          "next-url",
          "x-nextjs-data");

  static KeyParts of(CacheKey key) {
    return new Reading(key.bytes()).read();
  }

  /** Whether clients that differ in the field have different keys, or the origin cannot see it. */
  boolean covers(String lowerName) {
    return primaryCovers(lowerName) || secondLevel.containsKey(lowerName);
  }

  boolean primaryCovers(String lowerName) {
    boolean codingIsOurs = coding != null && lowerName.equals("accept-encoding");
    return fields.containsKey(lowerName)
        || NEVER_SEEN.contains(lowerName)
        || codingIsOurs
        || (variant != Variant.NONE && SELECTORS.contains(lowerName))
        || HopByHop.isDropped(FieldName.find(lowerName));
  }

  /** One fact a line, {@code name: value}. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("resource: " + scheme + "://" + host + path + (query == null ? "" : "?" + query));
    if (!deploymentId.isEmpty()) {
      lines.add("deployment: " + deploymentId);
    }
    if (variant != Variant.NONE) {
      lines.add(
          "variant: "
              + (variant == Variant.PRERENDERED ? "nextjs, prerendered" : "nextjs")
              + (limitedBot ? ", html-limited bot" : ""));
    }
    if (coding != null) {
      lines.add("coding: " + coding);
    }
    addFields(lines, fields, "");
    addFields(lines, secondLevel, " (learned from Vary)");
    return lines;
  }

  private static void addFields(
      List<String> lines, Map<String, Optional<String>> fields, String ground) {
    fields.forEach(
        (name, value) -> lines.add("field " + name + ": " + value.orElse("(absent)") + ground));
  }

  /** One pass over the bytes. Confined to the call that makes it. */
  private static final class Reading {

    private final byte[] bytes;
    private int at = 4;
    private @Nullable String query;
    private String deploymentId = "";
    private Variant variant = Variant.NONE;
    private boolean limitedBot;
    private @Nullable String coding;
    private final Map<String, Optional<String>> fields = new LinkedHashMap<>();
    private final Map<String, Optional<String>> secondLevel = new LinkedHashMap<>();
    private Map<String, Optional<String>> level = fields;

    Reading(byte[] bytes) {
      this.bytes = bytes;
    }

    KeyParts read() {
      if (bytes.length <= at || bytes[0] != VERSION) {
        throw new IllegalArgumentException("not a key of version " + VERSION);
      }
      String host = text();
      String path = text();
      while (at < bytes.length) {
        component(bytes[at++]);
      }
      return new KeyParts(
          bytes[1] == WHOLE,
          bytes[2] == HTTPS ? "https" : "http",
          host,
          path,
          query,
          deploymentId,
          variant,
          limitedBot,
          coding,
          fields,
          secondLevel);
    }

    private void component(int tag) {
      String text = text();
      switch (tag) {
        case QUERY -> query = text;
        case DEPLOYMENT -> deploymentId = text;
        case DYNAMIC -> variant = Variant.DYNAMIC;
        case PRERENDERED -> variant = Variant.PRERENDERED;
        case LIMITED_BOT -> limitedBot = true;
        case CODING -> coding = text;
        case FIELD -> field(text);
        case ABSENT -> level.put(text, Optional.empty());
        case SECOND_LEVEL -> level = secondLevel;
        default -> throw new IllegalArgumentException("no part of a key is tagged " + tag);
      }
    }

    /** A name is a token, so the first colon ends it. */
    private void field(String text) {
      int colon = text.indexOf(':');
      level.put(text.substring(0, colon), Optional.of(text.substring(colon + 1)));
    }

    /** To the next zero, out of modified UTF-8. */
    private String text() {
      var text = new StringBuilder();
      while (bytes[at] != 0) {
        text.append(character());
      }
      at++;
      return text.toString();
    }

    private char character() {
      int first = bytes[at++] & 0xff;
      if (first < 0x80) {
        return (char) first;
      }
      int second = bytes[at++] & 0x3f;
      return first < 0xe0
          ? (char) ((first & 0x1f) << 6 | second)
          : (char) ((first & 0xf) << 12 | second << 6 | bytes[at++] & 0x3f);
    }
  }
}
