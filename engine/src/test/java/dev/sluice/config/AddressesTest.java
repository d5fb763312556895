package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.Parsed.Good;
import dev.sluice.net.NetSettings.Address;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0:1, 127.0.0.1:1, true",
    "0.0.0.0:1, 127.0.0.1:2, false",
    "0.0.0.0:1, '[::1]:1', false",
    "'[::]:1', 127.0.0.1:1, true",
    "'[::1]:1', '[0:0:0:0:0:0:0:1]:1', true",
    "localhost:1, 127.0.0.1:1, true",
    "127.0.0.1:1, 127.0.0.2:1, false",
    "a:1, A:1, true",
    "127.0.0.1:0, 127.0.0.1:0, false"
  })
  void addresses_overlap_whereBothCouldNotBeBound(String a, String b, boolean overlap) {
    assertThat(Addresses.overlap(address(a), address(b))).isEqualTo(overlap);
    assertThat(Addresses.overlap(address(b), address(a))).isEqualTo(overlap);
  }

  private static Address address(String text) {
    return (Address) ((Good) Addresses.parse(text, 0)).value();
  }
}
