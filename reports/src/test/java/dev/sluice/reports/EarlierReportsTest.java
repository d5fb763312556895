package dev.sluice.reports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.launch.RepoRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run takes out of the folder that {@code BENCH_REPORT_DIR} names before it begins. */
final class EarlierReportsTest {
  @TempDir Path folder;

  @Test
  void folderOfReports_losesThoseOfGatesAlone() throws Exception {
    report("demo").write(folder);
    report("demo-2").write(folder);
    Path copied = folder.resolve("copied.json");
    Files.copy(folder.resolve("demo.json"), copied);
    Files.writeString(folder.resolve(ReportFolder.JOINED), "{}");
    Files.writeString(folder.resolve("other.json"), "{ \"name\" : \"other\", \"figure\" : 1 }");
    Files.writeString(folder.resolve("empty.json"), "");
    Files.writeString(folder.resolve("index.html"), "<html>");
    report("deeper").write(folder.resolve("below"));

    assertThat(clear(folder.toString())).isZero();

    assertThat(inside())
        .containsExactly(
            "below/deeper.json",
            "copied.json",
            "empty.json",
            "gates.json",
            "index.html",
            "other.json");
  }

  @Test
  void folderThatIsNotThere_isNoFailure() throws Exception {
    assertThat(clear("")).isZero();
    assertThat(clear(folder.resolve("none").toString())).isZero();
  }

  private static GateReport report(String name) {
    return GateReport.of(name, "A claim.", Path.of("."));
  }

  private static int clear(String reports) throws IOException, InterruptedException {
    var script = new ProcessBuilder(RepoRoot.path().resolve(".ci/clear-reports").toString());
    script.environment().put("BENCH_REPORT_DIR", reports);
    return script.inheritIO().start().waitFor();
  }

  private List<String> inside() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }
}
