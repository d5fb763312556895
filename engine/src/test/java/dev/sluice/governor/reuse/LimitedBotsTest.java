package dev.sluice.governor.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets the page whole, by the framework's own list: its answer is another than a browser's. */
class LimitedBotsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
        "BINGBOT",
        "Mozilla/5.0 AppleWebKit/605.1.15 (Applebot/0.1)",
        "Mozilla/5.0 (compatible; Yeti/1.1)",
        "WhatsApp/2.23",
        "Quora Link Preview/1.0",
        "ia_archiver",
        "x tumblr",
        "googleweblight",
        "AdsBot-Google (+http://www.google.com/adsbot.html)",
        "a-Google",
        "_-google",
        "9-google/1",
        "z-google",
        "Mediapartners-Google",
        "Google-InspectionTool/1.0",
        "Google-a",
        "Google-_",
        "Google--",
        "Google-0",
        "Google-9",
        "Google-z"
      })
  void crawlerOfTheList_isOne(String userAgent) {
    assertThat(LimitedBots.isNamedIn(userAgent)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "zzz",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Google",
        "google google",
        "Google-",
        "Google- x",
        "Google-/1",
        "Google-:",
        "Google-`",
        "Google-{",
        "Google-@",
        "-Google",
        " -Google",
        "/-google",
        ":-google",
        "a Google",
        "Googl-e",
        "bingbo",
        "yet"
      })
  void anybodyElse_isNone(String userAgent) {
    assertThat(LimitedBots.isNamedIn(userAgent)).isFalse();
  }

  @Test
  void everyLineOfTheField_isLookedAt_andNoOther() {
    assertThat(isSender("User-Agent", "Mozilla/5.0", "User-Agent", "Slackbot 1.0")).isTrue();
    assertThat(isSender("User-Agent", "Mozilla/5.0", "X-Agent", "Slackbot 1.0")).isFalse();
    assertThat(isSender("X-Agent", "Slackbot 1.0")).isFalse();
  }

  private static boolean isSender(String... fields) {
    return LimitedBots.isSender(FieldList.of(fields), new FieldValue());
  }
}
