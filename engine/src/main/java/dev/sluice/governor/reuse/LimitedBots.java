package dev.sluice.governor.reuse;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.Arrays;

/**
 * Tells the crawlers for which Next.js renders a page whole before it sends a byte, because they do
 * not read what is streamed behind the head ({@code htmlLimitedBots}, its default list). Stateless.
 */
final class LimitedBots {

  private static final String[] NAMES = {
    "chrome-lighthouse",
    "slurp",
    "duckduckbot",
    "baiduspider",
    "yandex",
    "sogou",
    "bitlybot",
    "tumblr",
    "vkshare",
    "quora link preview",
    "redditbot",
    "ia_archiver",
    "bingbot",
    "bingpreview",
    "applebot",
    "facebookexternalhit",
    "facebookcatalog",
    "twitterbot",
    "linkedinbot",
    "slackbot",
    "discordbot",
    "whatsapp",
    "skypeuripreview",
    "yeti",
    "googleweblight",
  };

  private static final String[][] BY_LETTER = byLetter();

  private LimitedBots() {}

  /** Whether the head's User-Agent is one of them; all its lines are looked at. */
  static boolean isSender(Headers headers, FieldValue value) {
    if (!headers.has(FieldName.USER_AGENT)) {
      return false;
    }
    for (int i = 0; i < headers.size(); i++) {
      if (headers.known(i) == FieldName.USER_AGENT && isNamedIn(value.at(headers, i))) {
        return true;
      }
    }
    return false;
  }

  static boolean isNamedIn(CharSequence userAgent) {
    int length = userAgent.length();
    for (int i = 0; i < length; i++) {
      char c = Lexis.lower(userAgent.charAt(i));
      if (c < 'a' || c > 'y') {
        continue;
      }
      for (String name : BY_LETTER[c - 'a']) {
        if (Lexis.startsWith(userAgent, i, length, name)) {
          return true;
        }
      }
      if (c == 'g' && isGoogles(userAgent, i, length)) {
        return true;
      }
    }
    return false;
  }

  /** {@code [\w-]+-Google} and {@code Google-[\w-]+}: all of Google's but the plain Googlebot. */
  private static boolean isGoogles(CharSequence text, int at, int length) {
    if (!Lexis.startsWith(text, at, length, "google")) {
      return false;
    }
    int after = at + "google".length();
    boolean behind =
        after + 1 < length && text.charAt(after) == '-' && isWord(text.charAt(after + 1));
    boolean before = at > 1 && text.charAt(at - 1) == '-' && isWord(text.charAt(at - 2));
    return behind || before;
  }

  private static boolean isWord(char c) {
    char lower = Lexis.lower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  }

  private static String[][] byLetter() {
    String[][] table = new String['y' - 'a' + 1][];
    for (int letter = 0; letter < table.length; letter++) {
      char first = (char) ('a' + letter);
      table[letter] =
          Arrays.stream(NAMES).filter(name -> name.charAt(0) == first).toArray(String[]::new);
    }
    return table;
  }
}
