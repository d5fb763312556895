package dev.sluice.reports.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.reports.GateReport;
import dev.sluice.reports.Json;
import dev.sluice.reports.Machine;
import dev.sluice.reports.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The gates of one run, joined. Immutable.
 *
 * @param madeAt when they were joined, as ISO 8601 in UTC
 * @param gates by name
 * @param unreported tests, of gates and others, that failed without leaving a report
 */
public record Suite(String madeAt, List<GateReport> gates, List<FailedTest> unreported) {
  private static final ObjectMapper JSON = Json.mapper();

  public Suite {
    gates = List.copyOf(gates);
    unreported = unreported == null ? List.of() : List.copyOf(unreported);
  }

  static Suite read(Path file) throws IOException {
    String json = Files.readString(file);
    try {
      Suite suite = JSON.readValue(json, Suite.class);
      if (suite == null) {
        throw new IOException(file + ": nothing (expected: joined gates)");
      }
      return suite;
    } catch (JsonProcessingException | RuntimeException e) {
      throw new IOException(file + ": not joined gates: " + e.getMessage(), e);
    }
  }

  String toJson() {
    try {
      return JSON.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the joined gates did not become JSON", e);
    }
  }

  List<GateReport> with(Verdict verdict) {
    return gates.stream().filter(gate -> gate.verdict() == verdict).toList();
  }

  int count(Verdict verdict) {
    return with(verdict).size();
  }

  /** Whether no gate failed; a run without gates did not hold. */
  boolean holds() {
    return !gates.isEmpty() && count(Verdict.FAILED) == 0 && unreported.isEmpty();
  }

  /** What the gates ran on; more than one = the reports of several runs lie together. */
  List<Machine> machines() {
    return gates.stream().map(GateReport::machine).distinct().toList();
  }

  long durationMillis() {
    return gates.stream().mapToLong(GateReport::durationMillis).sum();
  }

  /** The verdict in one sentence. */
  String headline() {
    int failed = count(Verdict.FAILED);
    String failures =
        Stream.of(counted(failed, "gate"), counted(unreported.size(), "test"))
            .filter(words -> !words.isEmpty())
            .collect(Collectors.joining(" and "));
    if (!failures.isEmpty()) {
      return failures + " failed";
    }
    if (gates.isEmpty()) {
      return "No gate left a report";
    }
    return count(Verdict.SKIPPED) > 0 ? "Every gate that ran held" : "Every gate held";
  }

  private static String counted(int count, String what) {
    return count == 0 ? "" : count + " " + what + (count == 1 ? "" : "s");
  }
}
