package dev.sluice;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which package of the engine may depend on which other and on which libraries: the table that
 * {@link ArchitectureTest} holds. Names are relative to {@code dev.sluice}. Immutable.
 */
final class Layout {

  static final String ROOT = "dev.sluice";

  /** The packages that see everything: the program and its commands. */
  static final Set<String> UNBOUND = Set.of("", "cli");

  /** The packages that may know Netty; decisions are plain Java and are tested without a socket. */
  static final Set<String> NETTY =
      Set.of(
          "flow",
          "net",
          "net.tls",
          "wire",
          "wire.http1",
          "wire.client",
          "wire.origin",
          "wire.http2",
          "wire.accept",
          "wire.dial",
          "edge");

  /** The verbs of the journey. */
  static final List<String> STAGES =
      List.of(
          "governor.classify",
          "governor.reuse",
          "governor.reuse.cache",
          "governor.reuse.coalesce",
          "governor.admit",
          "governor.fetch",
          "governor.fetch.attempts",
          "governor.judge",
          "governor.deliver");

  private static final List<String> EVERYWHERE =
      List.of("java.", "org.jspecify.", "org.slf4j.", "com.google.errorprone.annotations.");
  private static final Set<String> WORDS = Set.of("http", "http.caching", "outcome", "time");
  private static final Map<String, Row> ROWS = rows();

  private Layout() {}

  /** What one package may depend on, beside itself and what every package may. */
  record Row(Set<String> packages, List<String> libraries) {

    boolean allowsLibrary(String type) {
      return Stream.concat(EVERYWHERE.stream(), libraries.stream()).anyMatch(type::startsWith);
    }

    Row with(Collection<String> more) {
      var all = new HashSet<>(packages);
      all.addAll(more);
      return new Row(all, libraries);
    }

    Row and(String... more) {
      return with(Arrays.asList(more));
    }

    Row libraries(String... prefixes) {
      return new Row(packages, List.of(prefixes));
    }
  }

  /** The rows by package; a package without one does not belong to the engine. */
  static Map<String, Row> table() {
    return ROWS;
  }

  private static Map<String, Row> rows() {
    var rows = new TreeMap<String, Row>();
    putGround(rows);
    putStages(rows);
    rows.put("governor", on(WORDS).with(STAGES).and("wire", "flow", "observe"));
    rows.put(
        "config",
        on(STAGES)
            .and(
                "governor",
                "edge",
                "wire",
                "net",
                "flow",
                "observe",
                "admin",
                "time",
                "application")
            .and("net.tls")
            .libraries("com.fasterxml.jackson.", "com.sun.management."));
    rows.put(
        "admin",
        on("governor", "edge", "wire", "net", "observe", "http", "outcome", "time")
            // What a status page shows is a stage's own snapshot.
            .and("governor.admit", "governor.classify")
            .libraries("com.fasterxml.jackson.core."));
    return Map.copyOf(rows);
  }

  private static void putGround(Map<String, Row> rows) {
    rows.put("time", on());
    rows.put("application", on("time"));
    rows.put("outcome", on());
    rows.put("http", on());
    rows.put("http.caching", on("http"));
    rows.put("flow", on("outcome", "time").libraries("io.netty."));
    rows.put("net", on("outcome", "time").libraries("io.netty."));
    rows.put("net.tls", on("net", "time").libraries("io.netty.", "javax.net.ssl."));
    rows.put(
        "observe",
        on("http", "outcome", "time")
            .libraries(
                "org.HdrHistogram.",
                "io.micrometer.",
                // What Micrometer's registry is made of; Micrometer itself has no histogram whose
                // buckets are counted elsewhere.
                "io.prometheus.metrics.model.",
                "org.jctools.",
                "com.fasterxml.jackson.core."));
    Row wire = on("http", "flow", "net", "net.tls", "outcome", "time").libraries("io.netty.");
    Row sides = wire.and("wire", "wire.http1");
    rows.put("wire", wire.and("wire.http1"));
    rows.put("wire.http1", wire);
    rows.put("wire.client", sides);
    rows.put("wire.origin", sides);
    rows.put("wire.http2", sides.and("wire.client", "wire.origin"));
    rows.put("wire.accept", sides.and("wire.client", "wire.http2"));
    rows.put("wire.dial", sides.and("wire.origin", "wire.http2"));
    rows.put("edge", on("net", "flow", "observe", "outcome", "time").libraries("io.netty."));
  }

  private static void putStages(Map<String, Row> rows) {
    String classify = "governor.classify";
    String cache = "governor.reuse.cache";
    String coalesce = "governor.reuse.coalesce";
    Row reuse = on(WORDS).and(classify, "flow");
    rows.put(classify, on(WORDS));
    rows.put(cache, reuse.libraries("com.github.benmanes.caffeine."));
    rows.put(coalesce, reuse.libraries("com.github.benmanes.caffeine."));
    rows.put(
        "governor.reuse", reuse.and(cache, coalesce).libraries("com.github.benmanes.caffeine."));
    rows.put("governor.admit", on(classify, "outcome", "time").libraries("org.jctools."));
    rows.put("governor.fetch.attempts", on(classify, "outcome", "time"));
    rows.put("governor.fetch", on(WORDS).and(classify, "governor.fetch.attempts", "wire", "flow"));
    rows.put("governor.judge", on(WORDS).and(classify, cache));
    rows.put("governor.deliver", on(WORDS).and(classify, cache, "wire", "flow"));
  }

  private static Row on(String... packages) {
    return on(Arrays.asList(packages));
  }

  private static Row on(Collection<String> packages) {
    return new Row(Set.copyOf(packages), List.of());
  }
}
