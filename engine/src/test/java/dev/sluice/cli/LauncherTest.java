package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.RepoRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher {@code sluice}, copied into a folder with a space in its name before an empty jar,
 * with a Java that prints its arguments: what is asked here is what it starts, and where.
 */
final class LauncherTest {

  private static final String PRINTER =
      """
      #!/bin/sh
      case "$*" in *-XshowSettings*) echo '    java.version = 21.0.1' >&2; exit 0 ;; esac
      echo "pid $$ in $PWD"
      for argument; do echo "<$argument>"; done
      case "$*" in *ArchiveClassesAtExit*) exit 1 ;; esac
      exit 7
      """;

  @TempDir private Path root;
  private Path home;
  private Path java;

  @BeforeEach
  void install() throws IOException {
    home = Files.createDirectories(root.resolve("opt/the sluice"));
    Files.createDirectories(home.resolve("engine/target"));
    Files.createFile(home.resolve("engine/target/sluice.jar"));
    Files.copy(RepoRoot.path().resolve("sluice"), home.resolve("sluice"));
    makeExecutable(home.resolve("sluice"));
    java = jdk("jdk 17", "JAVA_VERSION=\"17.0.15\"\n");
  }

  private Path jdk(String name, String release) throws IOException {
    Path jdk = Files.createDirectories(root.resolve(name));
    Files.createDirectories(jdk.resolve("bin"));
    if (!release.isEmpty()) {
      Files.writeString(jdk.resolve("release"), release);
    }
    makeExecutable(Files.writeString(jdk.resolve("bin/java"), PRINTER));
    return jdk;
  }

  private static void makeExecutable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Launched(int exitCode, long pid, List<String> lines) {}

  private Launched launch(Path folder, Map<String, String> more, String... command) {
    var environment = new HashMap<String, String>();
    environment.put("JAVA_HOME", java.toString());
    environment.put("SLUICE_CACHE_DIR", root.resolve("the cache").toString());
    environment.put("SLUICE_JAVA_OPTS", "");
    environment.putAll(more);
    try (RealProcess process =
        RealProcess.start("launcher", folder, environment, List.of(command))) {
      return new Launched(process.waitForExit(Program.PATIENCE), process.pid(), process.tail());
    }
  }

  private void assertStartsThisJar(Launched launched, Path folder, String... arguments) {
    var end =
        new ArrayList<>(List.of("<-jar>", "<" + home.resolve("engine/target/sluice.jar") + ">"));
    for (String argument : arguments) {
      end.add("<" + argument + ">");
    }
    // It becomes the JVM: the same process, the JVM's exit code, the operator's folder.
    assertThat(launched.exitCode).isEqualTo(7);
    assertThat(launched.lines).startsWith("pid " + launched.pid + " in " + folder);
    assertThat(launched.lines).endsWith(end.toArray(String[]::new));
  }

  @Test
  void anywhere_throughSymlinks_itFindsItsJar_andKeepsArgumentsWhole() throws IOException {
    Path folder = Files.createDirectories(root.resolve("else where"));
    Path bin = Files.createDirectories(root.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("sluice"), Path.of("../opt/the sluice/sluice"));
    Files.createSymbolicLink(folder.resolve("sl"), bin.resolve("sluice"));
    String[] arguments = {"check", "--config", "a file.yaml", "*", "", "$HOME"};

    for (String program : List.of(home + "/sluice", bin + "/sluice", "./sl")) {
      String[] command = new String[arguments.length + 1];
      command[0] = program;
      System.arraycopy(arguments, 0, command, 1, arguments.length);
      assertStartsThisJar(launch(folder, Map.of(), command), folder, arguments);
    }
    String path = bin + ":" + System.getenv("PATH");
    assertStartsThisJar(
        launch(folder, Map.of("PATH", path), "sh", "-c", "exec sluice version"), folder, "version");
  }

  @Test
  void javaHome_wrong_isOneLineThatNamesIt() throws IOException {
    Launched launched = launch(root, Map.of("JAVA_HOME", "/no/such jdk"), home + "/sluice", "run");

    assertThat(launched.exitCode).isEqualTo(1);
    assertThat(launched.lines)
        .containsExactly(
            "sluice: JAVA_HOME is /no/such jdk, but /no/such jdk/bin/java is not there");
  }

  @Test
  void java_tooOld_isRefused_andOneWithoutReleaseFileIsAsked() throws IOException {
    Path old = jdk("jdk 11", "JAVA_VERSION=\"11.0.2\"\n");
    Launched refused = launch(root, Map.of("JAVA_HOME", old.toString()), home + "/sluice", "run");
    assertThat(refused.exitCode).isEqualTo(1);
    assertThat(refused.lines)
        .containsExactly(
            "sluice: " + old + "/bin/java is version 11.0.2; Sluice needs Java 17 or later");

    java = jdk("jre", "");
    assertStartsThisJar(launch(root, Map.of(), home + "/sluice", "version"), root, "version");
  }

  @Test
  void options_ofTheOperator_comeBehindItsOwn() {
    Launched launched =
        launch(root, Map.of("SLUICE_JAVA_OPTS", "-Xmx99m -Dx=*"), home + "/sluice", "version");

    assertStartsThisJar(launched, root, "version");
    assertThat(launched.lines).containsSubsequence("<-XX:+UseSerialGC>", "<-Xmx99m>", "<-Dx=*>");
  }

  /** An archive that cannot be made costs start-up time, never the start, and is tried once. */
  @Test
  void archive_isTriedForARunAlone_andItsFailureStopsNothing() {
    assertThat(launch(root, Map.of(), home + "/sluice", "version").lines.get(0)).startsWith("pid ");

    Launched first = launch(root, Map.of(), home + "/sluice", "run");
    assertThat(first.exitCode).isEqualTo(7);
    assertThat(first.lines)
        .anyMatch(line -> line.startsWith("sluice: first start of this build: "))
        .anyMatch(line -> line.startsWith("sluice: no class archive was made"));

    assertStartsThisJar(launch(root, Map.of(), home + "/sluice", "run"), root, "run");
    assertStartsThisJar(
        launch(root, Map.of("SLUICE_CACHE_DIR", "/dev/null/x"), home + "/sluice", "run"),
        root,
        "run");
  }
}
