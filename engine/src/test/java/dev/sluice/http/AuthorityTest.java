package dev.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {

  @ParameterizedTest
  @CsvSource({
    "shop.example,            shop.example,       -1",
    "SHOP.Example:8080,       shop.example,       8080",
    "shop.example.,           shop.example,       -1",
    "shop.example.:80,        shop.example,       80",
    "shop.example:,           shop.example,       -1",
    "my_service:3000,         my_service,         3000",
    "127.0.0.1:0,             127.0.0.1,          0",
    "localhost:65535,         localhost,          65535",
    "[::1]:8443,              [::1],              8443",
    "[2001:DB8::7],           [2001:db8::7],      -1",
    "[1:2:3:4:5:6:7:8],       [1:2:3:4:5:6:7:8],  -1",
    "[::ffff:192.0.2.1],      [::ffff:192.0.2.1], -1",
    "[1::],                   [1::],              -1",
    "[::],                    [::],               -1",
  })
  void parse_wellFormed_isNormalized(String text, String host, int port) {
    assertThat(Authority.parse(text)).isEqualTo(new Authority.Valid(host, port));
    assertThat(Authority.fault(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "u:p@shop.example,        USERINFO",
    "@shop.example,           USERINFO",
    ":80,                     EMPTY",
    "'a, b',                  BAD_HOST",
    "'shop example',          BAD_HOST",
    "shop.example/../x,       BAD_HOST",
    "shop.example\\x,         BAD_HOST",
    "shop%2eexample,          BAD_HOST",
    "a..b,                    BAD_HOST",
    ".a,                      BAD_HOST",
    "'.',                     BAD_HOST",
    "a..,                     BAD_HOST",
    "bücher.example,          BAD_HOST",
    "shop.example#x,          BAD_HOST",
    "::1,                     EMPTY",
    "[],                      BAD_HOST",
    "[::1,                    BAD_HOST",
    "[:::],                   BAD_HOST",
    "[1::2::3],               BAD_HOST",
    "[1:2:3:4:5:6:7],         BAD_HOST",
    "[1:2:3:4:5:6:7:8:9],     BAD_HOST",
    "[1:2:3:4:5:6:7::8],      BAD_HOST",
    "[12345::],               BAD_HOST",
    "[1:],                    BAD_HOST",
    "[:1],                    BAD_HOST",
    "[fe80::1%25eth0],        BAD_HOST",
    "[::256.0.0.1],           BAD_HOST",
    "[::1.2.3],               BAD_HOST",
    "[v1.a],                  BAD_HOST",
    "[::1]x,                  BAD_PORT",
    "a:b,                     BAD_PORT",
    "a:-1,                    BAD_PORT",
    "a:+80,                   BAD_PORT",
    "a:65536,                 BAD_PORT",
    "a:80:80,                 BAD_PORT",
    "a:000080,                BAD_PORT",
  })
  void parse_malformed_saysWhat(String text, Authority.Fault fault) {
    assertThat(Authority.parse(text)).isEqualTo(new Authority.Invalid(fault));
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 4000})
  void parse_overlongName_isRefused(int length) {
    assertThat(Authority.parse("a".repeat(length)))
        .isEqualTo(new Authority.Invalid(Authority.Fault.BAD_HOST));
  }

  @Test
  void parse_emptyText_isEmpty() {
    assertThat(Authority.parse("")).isEqualTo(new Authority.Invalid(Authority.Fault.EMPTY));
  }

  @Test
  void normalized_defaultPort_isLeftOut() {
    assertThat(new Authority.Valid("a", 80).normalized(80)).isEqualTo("a");
    assertThat(new Authority.Valid("a", 80).normalized(443)).isEqualTo("a:80");
    assertThat(new Authority.Valid("a", -1).normalized(443)).isEqualTo("a");
  }
}
