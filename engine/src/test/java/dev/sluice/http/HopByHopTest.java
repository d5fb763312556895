package dev.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HopByHopTest {

  @ParameterizedTest
  @EnumSource(
      value = FieldName.class,
      names = {
        "CONNECTION",
        "KEEP_ALIVE",
        "PROXY_CONNECTION",
        "TE",
        "TRANSFER_ENCODING",
        "UPGRADE",
        "HTTP2_SETTINGS",
        "PROXY_AUTHENTICATE",
        "PROXY_AUTHORIZATION"
      })
  void isDropped_fieldOfOneHop_stopsHere(FieldName name) {
    assertThat(HopByHop.isDropped(name)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = FieldName.class,
      names = {"TRAILER", "HOST", "VIA", "EXPECT", "CONTENT_LENGTH"})
  void isDropped_endToEnd_goesOn(FieldName name) {
    assertThat(HopByHop.isDropped(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keep-alive",
        "close",
        "Upgrade, HTTP2-Settings",
        "TE",
        "Keep-Alive, Proxy-Connection",
        "",
        " , ,"
      })
  void connectionNames_ordinaryOptions_areNone(String value) {
    assertThat(HopByHop.connectionNames(FieldList.of("Connection", value))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "CONTENT-LENGTH",
        "cookie",
        "Authorization",
        "X-Forwarded-For",
        "X-Forwarded-Port",
        "X-Real-IP",
        "Origin",
        "Sec-Fetch-Site",
        "Content-Language",
        "Cache-Control",
        "Via",
        "RSC",
        "Next-Action",
        "Accept-Language",
        "traceparent",
        "x-sluice-cache-tags",
        "Expect"
      })
  void connectionNames_protectedName_staysEndToEnd(String name) {
    assertThat(HopByHop.connectionNames(FieldList.of("Connection", "close, " + name))).isEmpty();
  }

  @Test
  void connectionNames_furtherNames_areListedOnceInLowerCase() {
    var headers =
        FieldList.of("Connection", "X-Hop,\t close", "Host", "a", "Connection", "x-hop, Foo ,");
    assertThat(HopByHop.connectionNames(headers)).containsExactly("x-hop", "foo");
  }

  @ParameterizedTest
  @CsvSource({
    "close,               true,  false, false",
    "Keep-Alive,          false, true,  false",
    "'close, keep-alive', true,  true,  false",
    "'Upgrade, close',    true,  false, true",
    "closed,              false, false, false",
  })
  void of_options_areRecognized(String value, boolean close, boolean keepAlive, boolean upgrade) {
    var options = ConnectionOptions.of(FieldList.of("Connection", value));
    assertThat(options.close()).isEqualTo(close);
    assertThat(options.keepAlive()).isEqualTo(keepAlive);
    assertThat(options.upgrade()).isEqualTo(upgrade);
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "keep-alive", "CLOSE"})
  void of_commonValue_isShared(String value) {
    var headers = FieldList.of("Connection", value);
    assertThat(ConnectionOptions.of(headers)).isSameAs(ConnectionOptions.of(headers));
    assertThat(ConnectionOptions.of(FieldList.EMPTY))
        .isSameAs(ConnectionOptions.of(FieldList.of("Host", "a")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x y", "a;b", "\"close\"", "a=b", "é"})
  void of_elementThatIsNoToken_isMalformed(String value) {
    assertThat(ConnectionOptions.of(FieldList.of("Connection", value)).malformed()).isTrue();
  }

  @Test
  void of_tooManyNames_isMalformedAndBounded() {
    String names = IntStream.range(0, 40).mapToObj(i -> "n" + i).collect(Collectors.joining(","));
    var options = ConnectionOptions.of(FieldList.of("Connection", names));
    assertThat(options.malformed()).isTrue();
    assertThat(options.names()).hasSize(ConnectionOptions.MAX_NAMES);
  }
}
