package dev.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import dev.sluice.net.IpAddress;
import dev.sluice.net.IpNetwork;
import dev.sluice.wire.TrustSettings.Source;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For whom a request is: rows PRX-19 to PRX-33, KEY-04, FIELD_CASES T03. */
class CallerTest {

  private static final String PROXY = "10.0.0.1";

  /** PRX-19: nobody is believed by default. */
  @Test
  void prx19_nobodyIsTrusted_isThePeerItself() {
    Peer peer =
        caller("192.0.2.7", false)
            .peer(TrustSettings.NOBODY, fields("X-Forwarded-For", "127.0.0.1"));

    assertThat(peer.address()).isEqualTo("192.0.2.7");
    assertThat(peer.scheme()).isEqualTo("http");
  }

  /** PRX-20 to PRX-22: who is in the list, and who is not. */
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, 1.2.3.4",
    "10.0.0.0/8, 11.0.0.1, 11.0.0.1",
    "10.0.0.1, 10.0.0.1, 1.2.3.4",
    "10.0.0.1, 10.0.0.2, 10.0.0.2",
    "2001:db8::/32, 2001:db8:1::9, 1.2.3.4",
    "2001:db8::/32, 2001:db9::9, 2001:db9::9",
    "10.0.0.0/8, ::ffff:10.1.2.3, 1.2.3.4",
    "::ffff:10.0.0.0/104, 10.1.2.3, 1.2.3.4",
    "10.0.0.0/8, ::ffff:11.1.2.3, 11.1.2.3"
  })
  void prx20_from_decidesWhoIsBelieved(String from, String peer, String client) {
    TrustSettings trust = trust(from, Source.X_FORWARDED, Source.NONE);

    assertThat(caller(peer, false).peer(trust, fields("X-Forwarded-For", "1.2.3.4")).address())
        .isEqualTo(client);
  }

  /** PRX-23, PRX-29: from the right, and no further than the first that is not trusted. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.1.1.1, 2.2.2.2 | 2.2.2.2",
        "1.1.1.1, 2.2.2.2, 10.0.0.9 | 2.2.2.2",
        "1.1.1.1, 10.0.0.8, 10.0.0.9 | 1.1.1.1",
        "10.0.0.7, 10.0.0.8 | 10.0.0.7",
        "127.0.0.1 | 127.0.0.1",
        "1.2.3.4:5678 | 1.2.3.4",
        "[2001:db8::1]:443 | 2001:db8::1",
        "2001:DB8:0:0:0:0:0:1 | 2001:db8::1",
        "::ffff:1.2.3.4 | 1.2.3.4",
        ", ,1.2.3.4, , | 1.2.3.4",
        "1.1.1.1, unknown | 10.0.0.1",
        "1.1.1.1, _hidden, 10.0.0.9 | 10.0.0.9",
        "evil.example | 10.0.0.1",
        "1.1.1.1, 2.2.2.2; x | 10.0.0.1",
        "fe80::1%eth0 | 10.0.0.1",
        "1.2.3.4:99:1 | 10.0.0.1",
        "1.2.3 | 10.0.0.1",
        "1.2.3.4: | 10.0.0.1"
      })
  void prx29_xForwardedFor_isWalkedFromTheRight(String line, String client) {
    TrustSettings trust = trust("10.0.0.0/8", Source.X_FORWARDED, Source.NONE);

    assertThat(caller(PROXY, false).peer(trust, fields("X-Forwarded-For", line)).address())
        .isEqualTo(client);
  }

  /** Lines of one name are one list, in their order (RFC 9110 5.3). */
  @Test
  void xForwardedFor_inSeveralLines_isOneList() {
    TrustSettings trust = trust("10.0.0.0/8", Source.X_FORWARDED, Source.NONE);
    FieldList lines =
        fields(
            "X-Forwarded-For", "9.9.9.9", "X-Forwarded-For", "2.2.2.2", "X-Forwarded-For", PROXY);

    assertThat(caller(PROXY, false).peer(trust, lines).address()).isEqualTo("2.2.2.2");
  }

  /** PRX-24: RFC 7239, with its quotes, ports, brackets and hidden names. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "for=1.2.3.4 | 1.2.3.4",
        "for=\"1.2.3.4:80\" | 1.2.3.4",
        "For=\"[2001:db8:cafe::17]:4711\" | 2001:db8:cafe::17",
        "for=\"[2001:db8:cafe::17]\";proto=https;by=10.0.0.1 | 2001:db8:cafe::17",
        "for=1.1.1.1, for=2.2.2.2 | 2.2.2.2",
        "for=1.1.1.1,for=2.2.2.2;by=10.0.0.2, for=10.0.0.9 | 2.2.2.2",
        "for=1.1.1.1;ext=\"a,b;c=d\", for=10.0.0.9;ext=\"x,y\" | 1.1.1.1",
        "for=\"_hidden\", for=10.0.0.9 | 10.0.0.9",
        "for=unknown | 10.0.0.1",
        "by=10.0.0.2 | 10.0.0.1",
        "for=\"9.9.9.9, for=2.2.2.2 | 2.2.2.2",
        "for=\"\\1.2.3.4\" | 1.2.3.4",
        "for=1.2.3.4;for=2.2.2.2 | 10.0.0.1",
        "for = 1.2.3.4 | 10.0.0.1",
        "for=1.2.3.4:80 | 10.0.0.1",
        "for=[::1] | 10.0.0.1",
        "for=\"2001:db8::1\" | 2001:db8::1",
        "1.2.3.4 | 10.0.0.1",
        "for=\"1.2.3.4 | 10.0.0.1"
      })
  void prx24_forwarded_isWalkedFromTheRight(String line, String client) {
    TrustSettings trust = trust("10.0.0.0/8", Source.FORWARDED, Source.NONE);

    assertThat(caller(PROXY, false).peer(trust, fields("Forwarded", line)).address())
        .isEqualTo(client);
  }

  /** PRX-25: none reads neither. */
  @Test
  void prx25_none_readsNeither() {
    TrustSettings trust = trust("10.0.0.0/8", Source.NONE, Source.X_FORWARDED);
    FieldList lines = fields("X-Forwarded-For", "1.2.3.4", "Forwarded", "for=1.2.3.4");

    assertThat(caller(PROXY, false).peer(trust, lines).address()).isEqualTo(PROXY);
  }

  /** PRX-26, PRX-32, KEY-04: two schemes, whatever is said. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https | false | https",
        "HTTPS | false | https",
        "http | true | http",
        "wss | true | https",
        "foo | false | http",
        "'' | true | https",
        "https, http | false | http",
        "http, https | false | https"
      })
  void prx26_xForwardedProto_isNormalized(String line, boolean secure, String scheme) {
    TrustSettings trust = trust("10.0.0.0/8", Source.NONE, Source.X_FORWARDED);

    assertThat(caller(PROXY, secure).peer(trust, fields("X-Forwarded-Proto", line)).scheme())
        .isEqualTo(scheme);
  }

  /** The scheme is the word of the hop that saw the client. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.1.1.1, 10.0.0.9 | https, http | https",
        "10.0.0.8, 1.1.1.1 | https, http | http",
        "1.1.1.1, 10.0.0.9 | https | https"
      })
  void scheme_isOfTheHopThatNamesTheClient(String hops, String protos, String scheme) {
    TrustSettings trust = trust("10.0.0.0/8", Source.X_FORWARDED, Source.X_FORWARDED);
    FieldList lines = fields("X-Forwarded-For", hops, "X-Forwarded-Proto", protos);

    assertThat(caller(PROXY, false).peer(trust, lines).scheme()).isEqualTo(scheme);
  }

  /** PRX-27. */
  @Test
  void prx27_forwardedProto_isRead() {
    TrustSettings trust = trust("10.0.0.0/8", Source.FORWARDED, Source.FORWARDED);
    FieldList lines = fields("Forwarded", "for=1.1.1.1;proto=https, for=10.0.0.9;proto=http");

    Peer peer = caller(PROXY, false).peer(trust, lines);

    assertThat(peer.address()).isEqualTo("1.1.1.1");
    assertThat(peer.scheme()).isEqualTo("https");
  }

  /** PRX-28: none reads neither. */
  @Test
  void prx28_none_keepsTheConnectionsScheme() {
    TrustSettings trust = trust("10.0.0.0/8", Source.X_FORWARDED, Source.NONE);
    FieldList lines = fields("X-Forwarded-Proto", "https", "Forwarded", "proto=https");

    assertThat(caller(PROXY, false).peer(trust, lines).scheme()).isEqualTo("http");
  }

  /** PRX-30: exactly one computed value goes on. */
  @Test
  void prx30_fieldsForTheOrigin_areReplaced() {
    TrustSettings trust = trust("10.0.0.0/8", Source.X_FORWARDED, Source.X_FORWARDED);
    FieldList lines = fields("X-Forwarded-For", "9.9.9.9, 1.2.3.4", "X-Forwarded-Proto", "https");

    assertThat(
            new String(caller(PROXY, false).peer(trust, lines).fields(), StandardCharsets.US_ASCII))
        .isEqualTo("X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: https\r\n");
  }

  /** DEC-36: a connection outlives the configuration that it began under. */
  @Test
  void trust_isJudgedByTheConfigurationOfTheRequest() {
    Caller caller = caller(PROXY, false);
    FieldList lines = fields("X-Forwarded-For", "1.2.3.4");
    TrustSettings trust = trust("10.0.0.0/8", Source.X_FORWARDED, Source.NONE);

    assertThat(caller.peer(TrustSettings.NOBODY, lines).address()).isEqualTo(PROXY);
    assertThat(caller.peer(trust, lines).address()).isEqualTo("1.2.3.4");
    assertThat(caller.peer(TrustSettings.NOBODY, lines).address()).isEqualTo(PROXY);
  }

  /** A chain without end costs no more than a chain. */
  @Test
  void longChain_isWalkedOnlySoFar() {
    TrustSettings trust = trust("10.0.0.0/8", Source.X_FORWARDED, Source.NONE);
    String chain = "1.1.1.1" + ",10.0.0.2".repeat(3000);

    assertThat(caller(PROXY, false).peer(trust, fields("X-Forwarded-For", chain)).address())
        .isEqualTo("10.0.0.2");
  }

  private static Caller caller(String address, boolean secure) {
    return new Caller(IpAddress.parse(address), secure);
  }

  private static TrustSettings trust(String from, Source clientIp, Source scheme) {
    return new TrustSettings(
        List.of(Objects.requireNonNull(IpNetwork.parse(from))), clientIp, scheme);
  }

  private static FieldList fields(String... namesAndValues) {
    return FieldList.of(new ArrayList<>(Arrays.asList(namesAndValues)).toArray(String[]::new));
  }
}
