package dev.sluice.config;

import static dev.sluice.config.Reading.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.SettingsResult.Accepted;
import dev.sluice.config.SettingsResult.Refused;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResolverTest {

  private static SettingsResult read(Machine machine, Strictness strictness, String text) {
    return new SettingsReader(Map.of(), machine, strictness).read("sluice.yaml", text);
  }

  private static Machine machine(long direct, long memory, long descriptors) {
    return new Machine(1, 64 * MIB, direct, memory, descriptors, "0badcafe");
  }

  @Test
  void unsetSizes_shrink_neverFail() {
    Machine small = machine(100 * MIB, 512 * MIB, 20_000);
    Machine tiny = machine(MIB, 512 * MIB, 20_000);

    Accepted accepted = (Accepted) read(small, Strictness.RUN, Reading.LEAST);
    // B = 90 - 32 - 4 = 54 MiB
    assertThat(accepted.settings().wire().requestMemory()).isEqualTo(54 * MIB / 8);
    Accepted least = (Accepted) read(tiny, Strictness.RUN, Reading.LEAST);
    assertThat(least.settings().wire().requestMemory()).isEqualTo(64 << 10);
  }

  @Test
  void writtenSize_aboveTheRoom_isAnErrorAtRun_aWarningAtCheck() {
    Machine small = machine(100 * MIB, 512 * MIB, 20_000);
    String text = Reading.LEAST + "server: { request_memory: 60MiB }";

    assertThat(read(small, Strictness.RUN, text)).isInstanceOf(Refused.class);
    SettingsResult checked = read(small, Strictness.CHECK, text);
    assertThat(checked).isInstanceOf(Accepted.class);
    assertThat(Reading.lines(checked.warnings()))
        .containsExactly(
            "sluice.yaml:3:11: warning: server.request_memory: 60MiB does not fit the memory at hand"
                + " (expected: at most 0.9 x 100MiB direct - 32MiB - 4MiB x 1 loop = 54MiB); leave"
                + " the key out, or raise -XX:MaxDirectMemorySize");
  }

  @Test
  void process_aboveTheMachine_isAnErrorAtRun_aWarningAtCheck() {
    Machine crowded = machine(400 * MIB, 512 * MIB, 20_000);

    assertThat(read(crowded, Strictness.RUN, Reading.LEAST)).isInstanceOf(Refused.class);
    assertThat(Reading.lines(read(crowded, Strictness.CHECK, Reading.LEAST).warnings()))
        .containsExactly(
            "sluice.yaml:1:1: warning: the process may outgrow its memory: 400MiB direct + 64MiB"
                + " heap + 128MiB = 592MiB, of 512MiB; lower -Xmx or -XX:MaxDirectMemorySize, or"
                + " give it more memory");
  }

  @Test
  void connections_followTheDescriptors_atLeast64() {
    assertThat(Resolver.connections(machine(0, 0, 20_000))).isEqualTo(9744);
    assertThat(Resolver.connections(machine(0, 0, 256))).isEqualTo(64);
  }

  @Test
  void writtenConnections_aboveTheDescriptors_areToldWithTheSum() {
    Machine few = machine(100 * MIB, 512 * MIB, 1024);

    assertThat(
            Reading.lines(
                read(few, Strictness.RUN, Reading.LEAST + "server: { max_connections: 300 }")
                    .warnings()))
        .singleElement()
        .asString()
        .contains("300 needs more descriptors")
        .contains("(1024 - 512) / 2, at least 64 = 256 client connections");
  }

  @Test
  void autos_followTheMax() {
    String text = "version: 1\norigin: { upstreams: [\"a:1\"], concurrency: { max: 100 } }";
    Settings settings = Reading.accepted(text).settings();

    assertThat(settings.admit().queueMax()).isEqualTo(200);
    assertThat(settings.admit().staticMax()).isEqualTo(400);
    assertThat(settings.fetch().maxIdle()).isEqualTo(64);
  }

  @Test
  void autos_ofAVeryLargeMax_areNoMoreThanMayBeWritten() {
    String text = "version: 1\norigin: { upstreams: [\"a:1\"], concurrency: { max: 1000000 } }\n";
    Settings settings = Reading.accepted(text).settings();

    assertThat(settings.admit().queueMax()).isEqualTo(1_000_000);
    assertThat(settings.admit().staticMax()).isEqualTo(1_000_000);
  }
}
