package dev.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {

  @ParameterizedTest(name = "{0} {2}")
  @CsvSource({
    "/,                         /,                    RTE-05",
    "/products/17,              /products/17,         RTE-04",
    "/a/b/,                     /a/b/,                one empty last segment is ordinary",
    "/caf%C3%A9,                /café,                RFC 3986 6.2.2.2",
    "/%61bout,                  /about,               RFC 3986 6.2.2.2",
    "/file%2ejs,                /file.js,             a dot that makes no dot segment",
    "/.well-known/x,            /.well-known/x,       a name that begins with a dot",
    "/...,                      /...,                 three dots are a name",
    "/_next/static/%5Bid%5D.js, /_next/static/[id].js, a bundler's brackets",
    "/_next/static/[id].js,     /_next/static/[id].js, brackets sent raw",
    "/100%25,                   /100%,                a percent sign that decodes no further",
    "/%F0%9F%8C%8A,             /🌊,                  four octets",
    "/A,                        /A,                   case is kept",
  })
  void ofOriginForm_plainTarget_isNormalized(String raw, String path, String row) {
    Target target = Target.ofOriginForm(raw);
    assertThat(target.path()).as(row).isEqualTo(path);
    assertThat(target.ambiguous()).as(row).isFalse();
    assertThat(target.raw()).isEqualTo(raw);
  }

  @ParameterizedTest(name = "{0} {2}")
  @CsvSource({
    "/_next/static/../../account,          /account,          path confusion",
    "/_next/static/%2e%2e/%2E%2e/account,  /account,          path confusion",
    "/_next/static/.%2e/%2e./account,      /account,          path confusion",
    "/_next/image/../../account,           /account,          path confusion",
    "/_next/static/chunks/x/../../../../api/login, /api/login, path confusion",
    "/img/../account,                      /account,          path confusion",
    "/./account,                           /account,          path confusion",
    "/a/..,                                /,                 RFC 3986 5.2.4",
    "/a/b/.,                               /a/b/,             RFC 3986 5.2.4",
    "/../../x,                             /x,                RFC 3986 5.2.4",
    "/_next/static/..%2f..%2faccount,      /_next/static/..%2f..%2faccount, C16",
    "/static/..%5c..%5Caccount,            /static/..%5c..%5Caccount, C16",
    "/a\\b,                                /a\\b,             C16",
    "/account;.css,                        /account;.css,     C16",
    "/account%3B.css,                      /account%3B.css,   C16",
    "/account%3F.css,                      /account%3F.css,   C16",
    "/account%23.css,                      /account%23.css,   C16",
    "/account%00.css,                      /account%00.css,   C16",
    "/account%0a,                          /account%0a,       DEC-33",
    "/account%7f,                          /account%7f,       DEC-33",
    "//account,                            //account,         DEC-33",
    "/a//b,                                /a//b,             DEC-33",
    "/a%,                                  /a%,               invalid escape",
    "/a%2,                                 /a%2,              invalid escape",
    "/a%zz,                                /a%zz,             invalid escape",
    "/%c0%af,                              /%c0%af,           RFC 3629 3 overlong",
    "/%e0%80%af,                           /%e0%80%af,        RFC 3629 3 overlong",
    "/%c3%28,                              /%c3(,             RFC 3629 3 broken off",
    "/%ed%a0%80,                           /%ed%a0%80,        RFC 3629 3 surrogate",
    "/%f4%90%80%80,                        /%f4%90%80%80,     RFC 3629 3 too large",
    "/%80,                                 /%80,              RFC 3629 3 stray",
    "/%c3,                                 /%c3,              RFC 3629 3 broken off",
    "/%252e%252e/a,                        /%2e%2e/a,         decodes twice",
    "/%25%32%66,                           /%2f,              decodes twice",
    "/café,                                /café,             raw octets",
    "account,                              /account,          no leading slash",
  })
  void ofOriginForm_confusingTarget_isAmbiguous(String raw, String path, String row) {
    Target target = Target.ofOriginForm(raw);
    assertThat(target.ambiguous()).as(row).isTrue();
    assertThat(target.path()).as(row).isEqualTo(path);
    assertThat(target.raw()).isEqualTo(raw);
  }

  @Test
  void ofOriginForm_query_isSplitAtTheFirstMark() {
    assertThat(Target.ofOriginForm("/a?b=/../c?d"))
        .isEqualTo(new Target("/a?b=/../c?d", "/a", "b=/../c?d", true, false));
    assertThat(Target.ofOriginForm("/a?")).isEqualTo(new Target("/a?", "/a", "", true, false));
    assertThat(Target.ofOriginForm("/a")).isEqualTo(new Target("/a", "/a", "", false, false));
  }

  @Test
  void ofOriginForm_numberSign_isAmbiguous() {
    assertThat(Target.ofOriginForm("/a#b").ambiguous()).isTrue();
    assertThat(Target.ofOriginForm("/a?b#c").ambiguous()).isTrue();
  }

  @Test
  void ofOriginForm_plainTarget_isItsOwnPath() {
    String raw = "/_next/static/chunks/main-4f2a~b_c.js";
    assertThat(Target.ofOriginForm(raw).path()).isSameAs(raw);
  }

  @Test
  void ofOriginForm_asterisk_isAsterisk() {
    assertThat(Target.ofOriginForm("*").isAsterisk()).isTrue();
    assertThat(Target.ofOriginForm("*").ambiguous()).isFalse();
    assertThat(Target.ofOriginForm("/*").isAsterisk()).isFalse();
  }

  @Test
  void ofOriginForm_emptyText_isAmbiguousRoot() {
    assertThat(Target.ofOriginForm("")).isEqualTo(new Target("", "/", "", false, true));
  }
}
