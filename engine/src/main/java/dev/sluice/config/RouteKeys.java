package dev.sluice.config;

import static dev.sluice.config.Types.choice;
import static dev.sluice.config.Types.count;
import static dev.sluice.config.Types.duration;
import static dev.sluice.config.Types.durationOrOff;
import static dev.sluice.config.Types.flag;
import static dev.sluice.config.Types.list;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;
import dev.sluice.config.Key.Rows;
import java.util.regex.Pattern;

/** The schema of {@code routes}. Immutable. */
final class RouteKeys {

  private static final int MOST_UNITS = 1_000_000;

  static final Rows ROUTES =
      new Rows(
          "routes",
          "DEC-01, DEC-02",
          "In order, the first match wins; what none names is private.",
          Group.of(
              "routes[]",
              "RTE-03",
              "One rule.",
              Leaf.of("id", id(), null, "RTE-03", "Its name in logs and metrics.").required(),
              Leaf.of(
                      "match",
                      Types.match(),
                      null,
                      "RTE-04 to RTE-06",
                      "An exact path, or a prefix that ends in /**.")
                  .required(),
              Leaf.of(
                  "class",
                  choice("static", "public_ssr", "public_dynamic", "private_dynamic", "streaming"),
                  "private_dynamic",
                  "DEC-07",
                  "What its answers are."),
              Leaf.of(
                  "priority",
                  choice("high", "normal", "low"),
                  "normal",
                  "ADM-24, CFG-21",
                  "Its tier in the queue."),
              Leaf.of(
                  "weight",
                  count(1, MOST_UNITS),
                  "1",
                  "ADM-25",
                  "Units that one render costs; static, streaming and WebSockets count requests."),
              Leaf.of(
                  "on_client_abort",
                  choice("finish", "close"),
                  null,
                  "DEC-28",
                  "As origin.on_client_abort, which it replaces."),
              cookies(),
              cache(),
              Group.of(
                  "coalesce",
                  "DEC-09",
                  "One flight for like requests of this route.",
                  Leaf.of(
                      "enabled",
                      flag(),
                      null,
                      "COA-01",
                      "Absent = true for the three public classes, else false."),
                  Leaf.of(
                      "override_origin",
                      flag(),
                      "false",
                      "DEC-09",
                      "Share against private, no-store.")),
              Group.of(
                  "concurrency",
                  "ADM-02, DEC-31",
                  "Limits of its own, within the global ones.",
                  Leaf.of(
                      "max",
                      count(1, MOST_UNITS),
                      null,
                      "ADM-02",
                      "Units in flight at most; of classes static and streaming, requests."),
                  Group.of(
                      "queue",
                      "ADM-06",
                      "Who waits on this route; class streaming has no queue.",
                      Leaf.of(
                          "max",
                          count(0, MOST_UNITS),
                          null,
                          "DEC-31",
                          "Absent = min(2 x its max, half of the global queue), if it has a max."),
                      Leaf.of(
                          "timeout",
                          durationOrOff(),
                          null,
                          "DEC-31",
                          "Replaces the global one, longer or shorter."))),
              Group.of(
                  "spool",
                  "SPL-01",
                  "Spooling on this route.",
                  Leaf.of(
                      "enabled",
                      flag(),
                      null,
                      "SPL-04, CFG-22",
                      "Absent = as spool.enabled; never on class streaming."))));

  private RouteKeys() {}

  private static ValueType id() {
    return Types.matching(
        "name",
        Pattern.compile("[A-Za-z0-9_.:/-]{1,64}"),
        "is not a name",
        "1 to 64 letters, digits and - _ . : /",
        false);
  }

  private static Group cookies() {
    return Group.of(
        "cookies",
        "DEC-08",
        "What cookies mean here.",
        Leaf.of(
            "assert_public", flag(), "false", "DEC-08", "Requests with cookies may share, too."),
        Leaf.of(
            "ignore",
            list(Types.cookieName()),
            "[]",
            "DEC-08",
            "Names, or prefix*, that do not count."));
  }

  private static Group cache() {
    return Group.of(
        "cache",
        "CCH-01",
        "Answers of this route that are kept.",
        Leaf.of("enabled", flag(), null, "CCH-01", "Absent = as cache.enabled."),
        Leaf.of(
            "override_origin",
            flag(),
            "false",
            "CFG-09 to CFG-13",
            "Keep against the origin's word: your assertion that every visitor may see the others'"
                + " copy. Who sends cookies shares as cookies says; it makes no personal page safe."),
        Group.of(
            "ttl",
            "CFG-11",
            "How long an answer is fresh.",
            Leaf.of("max", duration(), null, "CFG-11", "At most; absent = as the origin says.")),
        Leaf.of(
            "stale_while_revalidate",
            durationOrOff(),
            null,
            "DEC-15",
            "Absent = the origin's, at most 60s."),
        Leaf.of("stale_if_error", durationOrOff(), "0s", "DEC-35", "Instead of an error."),
        Leaf.of(
            "statuses",
            choice("default", "explicit"),
            "default",
            "DEC-11",
            "Explicit = all that RFC 9111 3 lets be kept."),
        Leaf.of("heuristic", flag(), "false", "DEC-11", "A tenth of the answer's age."),
        Leaf.of(
            "rsc",
            choice("dynamic", "static"),
            "dynamic",
            "DEC-23",
            "Whether RSC answers are prerendered."),
        Group.of(
            "query",
            "KEY-13",
            "Which query parameters are in the key.",
            Leaf.of(
                "mode",
                choice("all", "include", "exclude", "none"),
                "all",
                "KEY-13",
                "How keys is read."),
            Leaf.of(
                "keys",
                list(Types.parameter()),
                "[]",
                "KEY-13",
                "Names, as they stand in the query.")),
        Group.of(
            "vary",
            "KEY-15",
            "Which request fields are in the key.",
            Leaf.of("headers", list(Types.fieldName()), "[]", "KEY-15", "Names.")),
        Leaf.of(
            "forward",
            list(Types.fieldName()),
            "[]",
            "DEC-34",
            "Fields that reach the origin and join the key."),
        Leaf.of(
            "request", choice("built", "whole"), "built", "DEC-34", "What a shared flight asks."));
  }
}
