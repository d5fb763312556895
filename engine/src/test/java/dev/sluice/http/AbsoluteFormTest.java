package dev.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AbsoluteFormTest {

  @ParameterizedTest
  @CsvSource({
    "GET,     http://shop.example/x?y,  http,  shop.example, -1,   /x?y",
    "GET,     HTTPS://Shop.Example:8443,https, shop.example, 8443, /",
    "GET,     http://shop.example?y=/,  http,  shop.example, -1,   /?y=/",
    "OPTIONS, http://shop.example:8001, http,  shop.example, 8001, *",
    "OPTIONS, http://shop.example/,     http,  shop.example, -1,   /",
    "GET,     http://[::1]:3000/a,      http,  [::1],        3000, /a",
  })
  void split_served_isTakenApart(
      String method, String target, String scheme, String host, int port, String originForm) {
    assertThat(AbsoluteForm.split(method, target))
        .isEqualTo(new AbsoluteForm.Split(scheme, new Authority.Valid(host, port), originForm));
  }

  @ParameterizedTest
  @CsvSource({
    "ftp://shop.example/,           FOREIGN_SCHEME",
    "shop.example:443,              FOREIGN_SCHEME",
    "http:/shop.example/,           FOREIGN_SCHEME",
    "http:shop.example,             FOREIGN_SCHEME",
    "'',                            FOREIGN_SCHEME",
    "http://u:p@shop.example/,      USERINFO",
    "http:///x,                     EMPTY_HOST",
    "http://,                       EMPTY_HOST",
    "http://:80/,                   EMPTY_HOST",
    "http://shop.example\\@evil/,   USERINFO",
    "http://shop.example\\x/,       BAD_AUTHORITY",
    "http://shop.example#x,         BAD_AUTHORITY",
    "http://shop.example:99999/,    BAD_AUTHORITY",
  })
  void split_H07_isRefused(String target, AbsoluteForm.Fault fault) {
    assertThat(AbsoluteForm.split("GET", target)).isEqualTo(new AbsoluteForm.Refused(fault));
  }

  @ParameterizedTest
  @CsvSource({"/a, false", "*, false", "http://a/, true", "a:80, true", "'', true"})
  void isCandidate_isNeitherOriginNorAsteriskForm(String target, boolean expected) {
    assertThat(AbsoluteForm.isCandidate(target)).isEqualTo(expected);
  }
}
