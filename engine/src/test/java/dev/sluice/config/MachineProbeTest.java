package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineProbeTest {

  @TempDir private Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void memory_isTheTightestLimit_ofTheGroups() throws IOException {
    file("proc/meminfo", "MemTotal:        4096 kB\nMemFree: 1 kB\n");
    file("proc/self/cgroup", "0::/a/b\n");
    file("sys/fs/cgroup/a/memory.max", "1048576\n");
    file("sys/fs/cgroup/a/b/memory.max", "max\n");

    assertThat(new MachineProbe(root).memory()).isEqualTo(1 << 20);
  }

  @Test
  void memory_withoutAGroup_isTheMachines() throws IOException {
    file("proc/meminfo", "MemTotal:        4096 kB\n");
    file("sys/fs/cgroup/memory.max", "max\n");

    assertThat(new MachineProbe(root).memory()).isEqualTo(4 << 20);
  }

  @Test
  void descriptors_areTheSoftLimit() throws IOException {
    file(
        "proc/self/limits",
        "Limit  Soft Hard Units\nMax open files            1234     5678   files\n");

    assertThat(new MachineProbe(root).descriptors()).isEqualTo(1234);
  }

  @Test
  void directLimit_lastOnTheLine_isInForce() {
    assertThat(
            MachineProbe.written("java\0-XX:MaxDirectMemorySize=5\0-XX:MaxDirectMemorySize=2m\0"))
        .hasValue(2 << 20);
    assertThat(MachineProbe.written("java\0-jar\0x.jar")).isEmpty();
  }

  @Test
  void machine_atHand_isFound() {
    Machine machine = Machine.detect();

    assertThat(machine.cores()).isPositive();
    assertThat(machine.memory()).isGreaterThan(1 << 20);
    assertThat(machine.directLimit()).isGreaterThan(1 << 20);
    assertThat(machine.descriptorLimit()).isGreaterThan(64);
    assertThat(machine.viaHex()).matches("[0-9a-f]{8}");
  }
}
