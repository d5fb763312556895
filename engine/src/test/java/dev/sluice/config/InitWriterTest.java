package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.fetch.FetchSettings.Upstream;
import dev.sluice.net.NetSettings.Address;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InitWriterTest {

  @Test
  void file_withDefaults_isAcceptedWithoutAWord() {
    Accepted accepted =
        Reading.accepted(
            new InitWriter(
                    InitWriter.DEFAULT_UPSTREAM,
                    InitWriter.DEFAULT_LISTEN,
                    InitWriter.DEFAULT_CONCURRENCY)
                .text());

    assertThat(accepted.warnings()).isEmpty();
    assertThat(accepted.settings().net().listen()).isEqualTo(new Address("127.0.0.1", 8080));
    assertThat(accepted.settings().admit().max()).isEqualTo(64);
    assertThat(accepted.settings().admin().admin()).isEqualTo(new Address("127.0.0.1", 9091));
  }

  @Test
  void file_carriesItsOptions() {
    Settings settings =
        Reading.accepted(new InitWriter("next:3000", "0.0.0.0:80", 16).text()).settings();

    assertThat(settings.fetch().upstreams()).containsExactly(new Upstream("next", 3000));
    assertThat(settings.net().listen()).isEqualTo(new Address("0.0.0.0", 80));
    assertThat(settings.admit().max()).isEqualTo(16);
    assertThat(settings.admit().queueMax()).isEqualTo(32);
    assertThat(settings.admit().queueTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.classify().routes()).containsExactly(Route.IMPLICIT);
  }

  @Test
  void option_thatIsNoAddress_isRefusedByTheReader() {
    assertThat(Reading.errors(new InitWriter("nonsense", "0.0.0.0:80", 16).text())).hasSize(1);
    assertThat(Reading.errors(new InitWriter("a:1", "127.0.0.1:9091", 16).text())).hasSize(1);
    assertThat(Reading.errors(new InitWriter("a:1", "0.0.0.0:80", 0).text())).isNotEmpty();
  }
}
