package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of addresses, beside a naive comparison of bits (FIELD_CASES T04). */
class IpNetworkTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/08",
        "10.0.0",
        "10.0.0.256",
        "2001:db8::/129",
        "2001:db8::/x",
        "[::1]/128",
        "fe80::1%eth0/64",
        "a.example/8",
        "::ffff:10.0.0.0/95",
        "10.0.0.0/8/8",
        "010.0.0.0/8 "
      })
  void parse_ofNoBlock_isNull(String text) {
    assertThat(IpNetwork.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 10.1.2.3", "10.0.0.0/8, 10.0.0.0/8", "2001:DB8::/32, 2001:db8::/32",
    "::ffff:10.0.0.0/104, 10.0.0.0/8", "::1, ::1", "0.0.0.0/0, 0.0.0.0/0"
  })
  void parse_ofABlock_printsIt(String text, String printed) {
    assertThat(IpNetwork.parse(text)).hasToString(printed);
  }

  /** T04: the bits behind a prefix that ends within a byte. */
  @ParameterizedTest
  @CsvSource({
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false",
    "192.168.16.0/20, 192.168.31.255, true",
    "192.168.16.0/20, 192.168.32.0, false",
    "0.0.0.0/0, 2001:db8::1, false"
  })
  void t04_contains_looksAtThePrefixAlone(String block, String address, boolean inside) {
    assertThat(network(block).contains(address(address))).isEqualTo(inside);
  }

  @Property
  void contains_isANaiveComparisonOfBits(
      @ForAll @Size(4) byte[] base,
      @ForAll @Size(4) byte[] other,
      @ForAll @IntRange(max = 32) int prefix)
      throws UnknownHostException {
    naive(base, other, prefix);
  }

  @Property
  void contains_isANaiveComparisonOfBits6(
      @ForAll @Size(16) byte[] base,
      @ForAll @IntRange(max = 127) int flipped,
      @ForAll @IntRange(max = 128) int prefix)
      throws UnknownHostException {
    byte[] six = base.clone();
    six[0] |= 1;
    byte[] other = six.clone();
    other[flipped / 8] ^= (byte) (0x80 >> flipped % 8);
    other[0] |= 1;
    naive(six, other, prefix);
  }

  private static void naive(byte[] base, byte[] other, int prefix) throws UnknownHostException {
    String a = bits(base).substring(0, prefix);
    String b = bits(other).substring(0, prefix);
    var network = new IpNetwork(IpAddress.of(InetAddress.getByAddress(base)), prefix);

    assertThat(network.contains(IpAddress.of(other))).isEqualTo(a.equals(b));
    assertThat(network.exact().contains(IpAddress.of(base))).isTrue();
    assertThat(network.exact().isExact()).isTrue();
    assertThat(Arrays.equals(base, other))
        .isEqualTo(IpAddress.of(base).equals(IpAddress.of(other)));
  }

  private static String bits(byte[] bytes) {
    var text = new StringBuilder();
    for (byte each : bytes) {
      String eight = Integer.toBinaryString(each & 0xff);
      text.append("0".repeat(8 - eight.length())).append(eight);
    }
    return text.toString();
  }

  private static IpNetwork network(String text) {
    return Objects.requireNonNull(IpNetwork.parse(text));
  }

  private static IpAddress address(String text) {
    return Objects.requireNonNull(IpAddress.parse(text));
  }
}
