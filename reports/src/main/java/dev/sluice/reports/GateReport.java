package dev.sluice.reports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one gate claimed, under which parameters, and what it measured. Immutable.
 *
 * @param name of the gate and of its file
 * @param claim one sentence
 * @param parameters what the run was given
 * @param measured what the origin counted or the client saw
 * @param bound what the measurement was held to, as text
 * @param control what the run without the mechanism measured; empty = the gate needs none
 * @param reason why it failed or was skipped; else ""
 * @param checks each figure that was held to a bound
 * @param charts what was seen over time, as percentiles, or beside peers
 * @param source where the gate is written
 */
public record GateReport(
    String name,
    String claim,
    Map<String, Object> parameters,
    Map<String, Object> measured,
    String bound,
    Verdict verdict,
    Map<String, Object> control,
    String reason,
    Machine machine,
    long durationMillis,
    List<Check> checks,
    List<Chart> charts,
    Source source) {

  private static final ObjectMapper JSON = Json.mapper();

  /** A report of an earlier version has no checks, charts and source. */
  public GateReport {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*") || name.equals("gates")) {
      throw new IllegalArgumentException("name: " + name + " (expected: a file's name)");
    }
    parameters = inOrder(parameters);
    measured = inOrder(measured);
    control = inOrder(control);
    checks = checks == null ? List.of() : List.copyOf(checks);
    charts = charts == null ? List.of() : List.copyOf(charts);
    source = source == null ? Source.UNKNOWN : source;
  }

  /** A report without numbers yet. */
  public static GateReport of(String name, String claim, Path root) {
    return new GateReport(
        name,
        claim,
        Map.of(),
        Map.of(),
        "",
        Verdict.FAILED,
        Map.of(),
        "",
        Machine.here(root),
        0,
        List.of(),
        List.of(),
        Source.here());
  }

  public GateReport parameter(String key, Object value) {
    return having(with(parameters, key, value), measured, control);
  }

  public GateReport measured(String key, Object value) {
    return having(parameters, with(measured, key, value), control);
  }

  public GateReport control(String key, Object value) {
    return having(parameters, measured, with(control, key, value));
  }

  private GateReport having(
      Map<String, Object> givens, Map<String, Object> figures, Map<String, Object> controls) {
    return new GateReport(
        name,
        claim,
        givens,
        figures,
        bound,
        verdict,
        controls,
        reason,
        machine,
        durationMillis,
        checks,
        charts,
        source);
  }

  /** The report of a gate that is over. */
  public GateReport judged(String heldTo, Verdict newVerdict, Duration duration) {
    return judged(heldTo, newVerdict, "", duration);
  }

  /** The report of a gate that is over, with the reason of its failing or being skipped. */
  public GateReport judged(String heldTo, Verdict newVerdict, String why, Duration duration) {
    return new GateReport(
        name,
        claim,
        parameters,
        measured,
        heldTo,
        newVerdict,
        control,
        why,
        machine,
        duration.toMillis(),
        checks,
        charts,
        source);
  }

  /** The report with what its gate saw beside its figures. */
  GateReport seen(List<Check> allChecks, List<Chart> allCharts) {
    return new GateReport(
        name,
        claim,
        parameters,
        measured,
        bound,
        verdict,
        control,
        reason,
        machine,
        durationMillis,
        allChecks,
        allCharts,
        source);
  }

  /**
   * Writes {@code <root>/target/gates/<name>.json}, or into the folder that the environment
   * variable {@code BENCH_REPORT_DIR} names, and prints the report. Returns the file.
   */
  public Path publish(Path root) {
    System.out.print(toText());
    return write(ReportFolder.of(root));
  }

  public String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the report of " + name + " did not become JSON", e);
    }
  }

  /** Reads what {@link #toJson} wrote. */
  public static GateReport parse(String json) {
    try {
      return JSON.readValue(json, GateReport.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not the report of a gate: " + json, e);
    }
  }

  /** Parameters beside numbers, for the console. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    text.append("=== gate ").append(name).append(": ").append(verdict).append('\n');
    line(text, "claim", claim);
    parameters.forEach((key, value) -> line(text, "parameter " + key, value));
    measured.forEach((key, value) -> line(text, "measured " + key, value));
    control.forEach((key, value) -> line(text, "control " + key, value));
    line(text, "bound", bound);
    if (!reason.isEmpty()) {
      line(text, "reason", reason);
    }
    charts.forEach(chart -> line(text, "chart " + chart.title(), chart.lines().size() + " lines"));
    line(text, "machine", machine.cores() + " x " + machine.cpu() + ", " + machine.system());
    line(text, "jdk", machine.jdk());
    line(text, "commit", machine.commit().isEmpty() ? "unknown" : machine.commit());
    line(text, "duration", durationMillis + " ms");
    return text.toString();
  }

  Path write(Path folder) {
    Path file = folder.resolve(name + ".json");
    try {
      Files.createDirectories(folder);
      return Files.writeString(file, toJson() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("the report of " + name + " was not written", e);
    }
  }

  private static void line(StringBuilder text, String key, Object value) {
    text.append(String.format("  %-36s %s%n", key, value));
  }

  private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(map);
    more.put(key, value);
    return more;
  }

  private static Map<String, Object> inOrder(Map<String, Object> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
