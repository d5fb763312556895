package dev.sluice.reports.page;

import dev.sluice.reports.GateReport;
import dev.sluice.reports.Verdict;
import dev.sluice.reports.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * Tests that failed and left no report, from what Surefire and Failsafe wrote: else a run whose
 * gate died would look as if it had one gate less.
 */
final class FailedTests {

  private FailedTests() {}

  /** Of all modules of the repository in this folder, beside the gates that left a report. */
  static List<FailedTest> in(Path root, List<GateReport> reported) throws IOException {
    Set<String> failedGates =
        reported.stream()
            .filter(gate -> gate.verdict() == Verdict.FAILED)
            .map(gate -> gate.source().test() + "." + gate.source().method())
            .collect(Collectors.toSet());
    List<FailedTest> failed = new ArrayList<>();
    for (Path file : files(root)) {
      for (FailedTest test : failedIn(file)) {
        if (!failedGates.contains(simple(test.test()))) {
          failed.add(test);
        }
      }
    }
    return failed;
  }

  private static List<Path> files(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        files.addAll(in(module.resolve("target/surefire-reports")));
        files.addAll(in(module.resolve("target/failsafe-reports")));
      }
    }
    return files;
  }

  private static List<Path> in(Path reports) throws IOException {
    if (!Files.isDirectory(reports)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(reports)) {
      return found
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .sorted()
          .toList();
    }
  }

  private static List<FailedTest> failedIn(Path file) throws IOException {
    List<FailedTest> failed = new ArrayList<>();
    for (Element test : Xml.elements(file, "testcase")) {
      for (String kind : List.of("failure", "error")) {
        for (Element said : Xml.elements(test, kind)) {
          String name = test.getAttribute("classname") + "." + test.getAttribute("name");
          failed.add(new FailedTest(name, firstLine(said)));
        }
      }
    }
    return failed;
  }

  private static String firstLine(Element said) {
    String message = said.getAttribute("message");
    String words = message.isBlank() ? said.getTextContent() : message;
    return words.strip().lines().findFirst().orElse("");
  }

  /** Class and method, without the package and a parameterized test's parameters. */
  private static String simple(String test) {
    String plain = test.replaceAll("[({\\[].*", "");
    int method = plain.lastIndexOf('.');
    return plain.substring(plain.lastIndexOf('.', method - 1) + 1);
  }
}
