package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.SettingsSearch.Outcome;
import dev.sluice.config.SettingsSearch.Outcome.Found;
import dev.sluice.config.SettingsSearch.Outcome.Missing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsSearchTest {

  private static final Map<String, String> VARIABLE = Map.of("SLUICE_CONFIG", "env.yaml");

  @TempDir private Path root;
  private Path cwd;
  private Path system;

  @BeforeEach
  void makeDirectories() throws IOException {
    cwd = Files.createDirectory(root.resolve("cwd"));
    system = Files.createDirectory(root.resolve("system"));
  }

  private Outcome search(List<String> args, Map<String, String> environment) {
    return new SettingsSearch(system).search(args, environment, cwd);
  }

  private static void create(Path directory, String name) throws IOException {
    Files.writeString(directory.resolve(name), "");
  }

  @Test
  void option_comesFirst_evenIfTheFileIsMissing() {
    assertThat(search(List.of("run", "--config", "x.yaml"), VARIABLE))
        .isEqualTo(new Found(cwd.resolve("x.yaml")));
    assertThat(search(List.of("--config=x.yaml"), VARIABLE))
        .isEqualTo(new Found(cwd.resolve("x.yaml")));
  }

  @Test
  void variable_comesBefore_theDirectory() throws IOException {
    create(cwd, "sluice.yaml");

    assertThat(search(List.of(), VARIABLE)).isEqualTo(new Found(cwd.resolve("env.yaml")));
    assertThat(search(List.of(), Map.of("SLUICE_CONFIG", "")))
        .isEqualTo(new Found(cwd.resolve("sluice.yaml")));
  }

  @Test
  void directory_comesBefore_theSystem() throws IOException {
    create(system, "sluice.yaml");
    create(cwd, "sluice.yml");

    assertThat(search(List.of(), Map.of())).isEqualTo(new Found(cwd.resolve("sluice.yml")));
  }

  @Test
  void system_comesLast() throws IOException {
    create(system, "sluice.yml");

    assertThat(search(List.of(), Map.of())).isEqualTo(new Found(system.resolve("sluice.yml")));
  }

  @Test
  void nothingFound_saysWhereItLooked() {
    assertThat(search(List.of(), Map.of()))
        .isInstanceOfSatisfying(
            Missing.class,
            missing ->
                assertThat(missing.message())
                    .contains(cwd.resolve("sluice.yaml").toString())
                    .contains(system.resolve("sluice.yml").toString()));
    assertThat(search(List.of("--config"), Map.of())).isInstanceOf(Missing.class);
  }
}
