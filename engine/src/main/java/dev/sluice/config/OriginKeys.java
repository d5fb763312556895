package dev.sluice.config;

import static dev.sluice.config.Types.auto;
import static dev.sluice.config.Types.choice;
import static dev.sluice.config.Types.count;
import static dev.sluice.config.Types.duration;
import static dev.sluice.config.Types.durationOrOff;
import static dev.sluice.config.Types.flag;
import static dev.sluice.config.Types.list;
import static dev.sluice.config.Types.percent;
import static dev.sluice.config.Types.text;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;

/** The schema of {@code origin}. Immutable. */
final class OriginKeys {

  private static final int ANY = Integer.MAX_VALUE;

  /** What concurrency and its queue may be told at most. */
  static final int MOST_UNITS = 1_000_000;

  static final Group ORIGIN =
      Group.of(
          "origin",
          "CFG-03",
          "The application behind: where it is and how much of it may be used at once.",
          Leaf.of(
                  "upstreams",
                  list(Types.upstream()),
                  null,
                  "ORG-01",
                  "Addresses of the application, host:port each; names are looked up every 5s.")
              .required(),
          Leaf.of(
              "command",
              list(text()),
              "[]",
              "ORG-32, DEC-20",
              "Program and arguments of an application that Sluice starts itself."),
          Leaf.of(
              "load_balancing",
              choice("round_robin", "hash_by_path", "least_loaded"),
              "round_robin",
              "ORG-02 to ORG-04",
              "Which upstream a flight goes to: in turn, by its path, or by load and latency."),
          Leaf.of(
              "http_version",
              choice("http1", "http2", "auto"),
              "http1",
              "CFG-16, ORG-25 to ORG-27",
              "Protocol to the origin: http2 by prior knowledge; auto agrees on one by ALPN and needs origin.tls."),
          tls(),
          concurrency(),
          tiers("priorities", "ADM-19", "Share of concurrency.max that a tier may use.", 1),
          tiers("reservations", "BEY-14", "Share of concurrency.max kept for a tier.", 0),
          Leaf.of(
              "on_client_abort",
              choice("finish", "close"),
              "finish",
              "DEC-28",
              "When every client left: read the answer to its end, or close the connection."),
          Leaf.of(
              "finish_timeout",
              duration(),
              "30s",
              "DEC-28",
              "How long an answer that nobody follows is read on."),
          Leaf.of(
              "abandon_hold",
              auto(durationOrOff()),
              "auto",
              "DEC-29",
              "How long a permit outlives an attempt that was torn down; auto = the route's median, 1s to 10s."),
          Leaf.of(
              "max_connections",
              count(0, ANY),
              "0",
              "DEC-37",
              "Connections to one upstream at most; 0 = no bound."),
          Leaf.of(
              "max_idle",
              auto(count(0, MOST_UNITS)),
              "auto",
              "DEC-37",
              "Idle connections kept; auto = min(concurrency.max, 64)."),
          health(),
          identity(),
          breaker(),
          retry());

  private OriginKeys() {}

  private static Group tls() {
    return Group.absent(
        "tls",
        "ORG-28 to ORG-30",
        "TLS to the origin; absent by default.",
        Leaf.of(
            "sni",
            Types.serverName(),
            null,
            "ORG-28, CFG-17",
            "Name that is asked for and verified; required here."),
        Leaf.of(
            "ca", Types.file(), "\"\"", "ORG-29", "PEM file of the roots; empty = the platform's."),
        Leaf.of("verify_cert", flag(), "true", "ORG-29", "Verify the certificate."),
        Leaf.of("verify_hostname", flag(), "true", "ORG-30", "Verify the name in it."));
  }

  private static Group concurrency() {
    return Group.of(
        "concurrency",
        "ADM-01, DEC-03",
        "Work units in flight at the origin, for the whole process.",
        Leaf.of("max", count(1, MOST_UNITS), "64", "ADM-01", "Units in flight at most."),
        Leaf.of(
            "per_upstream",
            count(0, MOST_UNITS),
            "0",
            "BEY-23",
            "Units in flight at one upstream; 0 = max in proportion to the upstreams in use."),
        Leaf.of(
            "static",
            auto(count(1, MOST_UNITS)),
            "auto",
            "DEC-33",
            "Ceiling of class static; auto = 4 x max, at least 64."),
        Leaf.of("streaming", count(1, MOST_UNITS), "256", "DEC-33", "Ceiling of class streaming."),
        Group.of(
            "queue",
            "ADM-04 to ADM-08",
            "Who waits for a permit.",
            Leaf.of(
                "max",
                auto(count(0, MOST_UNITS)),
                "auto",
                "ADM-04, DEC-03",
                "Flights that wait at most; auto = 2 x max."),
            Leaf.of("timeout", durationOrOff(), "2s", "ADM-05", "How long one waits at most."),
            Leaf.of(
                "predict",
                flag(),
                "true",
                "DEC-42",
                "Refuse at arrival what is bound to wait in vain."),
            Leaf.of(
                    "target",
                    durationOrOff(),
                    "0s",
                    "BEY-25",
                    "Controlled delay: the wait a standing queue is cut back to; 0 = off.")
                .later("queue.target")));
  }

  private static Group tiers(String name, String rows, String meaning, int smallest) {
    return Group.of(
        name,
        rows,
        meaning,
        Leaf.of("high", percent(smallest), null, rows, "The tier served first."),
        Leaf.of(
            "normal", percent(smallest), null, rows, "The tier of every route that names none."),
        Leaf.of("low", percent(smallest), null, rows, "The tier served last."));
  }

  private static Group health() {
    return Group.absent(
        "health",
        "ORG-06",
        "Probes of the upstreams; absent by default, then all are used (ORG-07).",
        Leaf.of("path", text(), null, "ORG-06", "Path that is probed; 2xx and 3xx are well.")
            .required(),
        Leaf.of("interval", duration(), "5s", "ORG-06", "Between two probes of one upstream."),
        Leaf.of("timeout", duration(), "2s", "ORG-06", "Of one probe, to its answer's head."),
        Leaf.of(
            "unhealthy_after",
            count(1, 100),
            "3",
            "ORG-06",
            "Failures in a row that take an upstream out of use."),
        Leaf.of(
            "healthy_after",
            count(1, 100),
            "2",
            "ORG-06",
            "Successes in a row that bring it back."));
  }

  private static Group identity() {
    return Group.absent(
        "identity",
        "H12",
        "How the application proves on each new connection that its address is still its own; absent by default.",
        Leaf.of("path", text(), null, "H12", "Path that is asked for, with HEAD.").required(),
        Leaf.of("header", Types.fieldName(), null, "H12", "Field of the answer, of any status.")
            .required(),
        Leaf.of("value", text(), null, "H12", "All of its value, to the letter.").required());
  }

  private static Group breaker() {
    return Group.of(
        "breaker",
        "DEC-45",
        "Takes a failing upstream out of use.",
        Leaf.of("enabled", flag(), "false", "CFG-18", "Needs at least two upstreams."),
        Leaf.of("window", duration(), "10s", "DEC-45", "Attempts of this long count."),
        Leaf.of("min_requests", count(1, ANY), "20", "DEC-45", "Attempts before it judges."),
        Leaf.of("failure_percent", percent(1), "50", "DEC-45", "Failures that open it."),
        Leaf.of("open_for", duration(), "30s", "DEC-45", "How long it stays open."),
        Leaf.of(
            "max_ejected_percent", percent(1), "50", "DEC-45", "Upstreams out of use at most."));
  }

  private static Group retry() {
    return Group.of(
        "retry",
        "DEC-29",
        "Further attempts of a flight that got no answer.",
        Leaf.of("enabled", flag(), "false", "DEC-13", "Whether there are any."),
        Leaf.of("max_attempts", count(1, 10), "2", "CFG-19", "Attempts in all, at least 2."),
        Leaf.of("window", duration(), "10s", "DEC-29", "The budget counts this long."),
        Leaf.of("budget_percent", percent(0), "10", "DEC-29", "Retries per first attempts."),
        Leaf.of("budget_min", count(0, ANY), "3", "DEC-29", "Retries that are always left."));
  }
}
