package dev.sluice.governor.fetch.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientPrefixTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.1.1, 127.0.1.254, true",
    "127.0.1.1, 127.0.2.1, false",
    "10.1.2.3, 10.12.3.4, false",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::9, true",
    "2001:db8:1:2::1, 2001:db8:1:3::1, false",
    "2001:db8::1, 2001:db8:0:0:ffff::2, true",
    "::1, ::2, true",
    "::1, 2001:db8::1, false",
    "1::2:3:4:5:6:7, 1:0:2:3:4:5:6:7, true",
    "::2:3:4:5:6:7:8, 0:2:3:4:1:1:1:1, true",
    "fe80::1, fe80:0:0:1::1, false",
    "unknown, 127.0.0.1, false"
  })
  void addresses_areOneClients_byTheirNetwork(String one, String other, boolean same) {
    assertThat(ClientPrefix.of(one) == ClientPrefix.of(other)).isEqualTo(same);
  }
}
