package dev.sluice.config;

import static dev.sluice.config.Types.choice;
import static dev.sluice.config.Types.count;
import static dev.sluice.config.Types.flag;
import static dev.sluice.config.Types.listenOrNone;
import static dev.sluice.config.Types.text;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import java.time.Duration;

/**
 * Every key of {@code sluice.yaml}, once: what the reader accepts, what its defaults are and what
 * the reference says is this table. Immutable.
 */
final class Schema {

  /** DEC-42: nobody is sent away for longer. */
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  static final Group ROOT =
      Group.of(
          "",
          "CFG-01",
          "The file.",
          Leaf.of("version", choice("1"), null, "CFG-02", "Version of this schema.").required(),
          ServerKeys.SERVER,
          ServerKeys.TIMEOUTS,
          OriginKeys.ORIGIN,
          overload(),
          SharingKeys.CACHE,
          SharingKeys.COALESCE,
          SharingKeys.SPOOL,
          SharingKeys.UPGRADE,
          Group.of(
              "deployment",
              "KEY-22",
              "Which release the application is.",
              Leaf.of(
                  "id", Types.release(), "\"\"", "KEY-22", "Keeps releases apart; empty = one.")),
          Leaf.of(
              "framework",
              choice("nextjs", "none"),
              "nextjs",
              "RTE-18",
              "Whose request fields and paths are understood."),
          RouteKeys.ROUTES,
          telemetry());

  private Schema() {}

  private static Group overload() {
    return Group.of(
        "overload",
        "DEC-06, DEC-42",
        "What a client gets that is not admitted.",
        Leaf.of("status", count(400, 599), "503", "ADM-09", "Its status."),
        Leaf.of(
            "retry_after",
            Types.durationUpTo(LONGEST_RETRY),
            "2s",
            "ADM-10",
            "Least Retry-After, at most 30s; drawn from it to twice it."),
        Group.of(
            "busy_page",
            "ADM-11 to ADM-15",
            "A page for navigations.",
            Leaf.of("enabled", flag(), "true", "ADM-11", "Whether they get one."),
            Leaf.of("file", Types.file(), "\"\"", "ADM-11", "Its HTML; empty = the built-in page."),
            Leaf.of(
                "refresh",
                Types.durationUpTo(LONGEST_RETRY),
                "3s",
                "ADM-12",
                "When it tries again, at most 30s.")));
  }

  private static Group telemetry() {
    return Group.of(
        "telemetry",
        "CFG-03",
        "What the operator sees.",
        Group.of(
            "admin",
            "OPS-01",
            "Health, status and metrics, apart from traffic.",
            Leaf.of("listen", listenOrNone(), "\"\"", "OPS-01", "Address of the admin listener.")),
        Group.of(
            "prometheus",
            "OBS-01",
            "Metrics on a listener of their own.",
            Leaf.of(
                "listen",
                listenOrNone(),
                "\"\"",
                "OBS-01",
                "Empty = /metrics on the admin listener.")),
        Group.of(
            "logging",
            "DEC-21",
            "Logs.",
            Leaf.of("format", choice("json"), "json", "OBS-16", "Form of a line."),
            Leaf.of(
                "level",
                choice("error", "warn", "info", "debug", "trace"),
                "info",
                "DEC-21",
                "Of the process log."),
            Leaf.of(
                "access",
                Types.wordOrFile("stdout", "none"),
                "stdout",
                "DEC-21",
                "Where access lines go.")),
        tracing());
  }

  private static Group tracing() {
    return Group.of(
        "tracing",
        "OBS-29",
        "Spans.",
        Leaf.of(
                "trust",
                choice("none", "from_trusted_proxies"),
                "none",
                "OBS-30",
                "Whose context is taken.")
            .later("tracing"),
        Group.of(
            "sample",
            "OBS-32",
            "Which exchanges are traced.",
            Leaf.of(
                    "mode",
                    choice("parent_or_ratio"),
                    "parent_or_ratio",
                    "OBS-32",
                    "How it is decided.")
                .later("tracing"),
            Leaf.of("one_in", count(1, 1_000_000), "20", "OBS-32", "One in so many.")
                .later("tracing")),
        Group.of(
            "otlp",
            "OBS-33",
            "Where spans go.",
            Leaf.of("endpoint", text(), "\"\"", "OBS-33", "Empty = nowhere.").later("tracing")));
  }
}
