package dev.sluice.config;

import static dev.sluice.config.Types.choice;
import static dev.sluice.config.Types.count;
import static dev.sluice.config.Types.duration;
import static dev.sluice.config.Types.durationOrOff;
import static dev.sluice.config.Types.flag;
import static dev.sluice.config.Types.list;
import static dev.sluice.config.Types.size;
import static dev.sluice.config.Types.text;

import dev.sluice.config.Key.Group;
import dev.sluice.config.Key.Leaf;

/** The schema of {@code cache}, {@code coalesce}, {@code spool} and {@code upgrade}. Immutable. */
final class SharingKeys {

  private static final String MOST = "1024GiB";

  static final Group CACHE =
      Group.of(
          "cache",
          "CCH-01",
          "Answers that are kept.",
          Leaf.of(
              "enabled",
              flag(),
              "false",
              "CCH-01",
              "Whether any are; a route may turn it off for itself."),
          Leaf.of(
              "max_memory",
              size("1MiB", MOST),
              "256MiB",
              "DEC-38",
              "Memory they take at most; not written: less where there is less, none where no route caches."),
          Leaf.of(
              "max_body_size",
              size("1KiB", "1GiB"),
              "4MiB",
              "CCH-05",
              "Largest body that is kept."),
          Leaf.of(
              "eviction",
              choice("w_tinylfu", "clock", "fifo"),
              "w_tinylfu",
              "DEC-24",
              "Which answer goes first; the other words are read as this one."),
          Leaf.of("max_variants", count(1, 1000), "16", "BEY-05", "Variants of one key at most."),
          Leaf.of(
              "encodings",
              list(choice("gzip", "br", "zstd", "deflate")),
              "[gzip]",
              "DEC-34",
              "Content codings asked of the origin: the first that the client accepts, else none."),
          Leaf.of(
              "tag_header",
              Types.fieldName(),
              "x-sluice-cache-tags",
              "CCH-17",
              "Response field with tags."),
          Leaf.of("expose_tags", flag(), "false", "DEC-12", "Let that field through to clients."),
          Leaf.of(
              "honor_client_no_cache",
              flag(),
              "false",
              "DEC-17",
              "Let clients ask past the store."),
          Group.of(
              "purge",
              "CCH-24",
              "Removal on demand.",
              Leaf.of(
                      "token",
                      text(),
                      "\"\"",
                      "CFG-23 to CFG-25",
                      "Secret of the purge endpoint, at least 24 printable characters; empty = no endpoint.")
                  .secret()));

  static final Group COALESCE =
      Group.of(
          "coalesce",
          "DEC-26, DEC-35",
          "One flight for many like requests.",
          Leaf.of(
              "max_body", size("1KiB", "1GiB"), "4MiB", "DEC-26", "Body kept for those who board."),
          Leaf.of(
              "max_waiters", count(1, 1_000_000), "10000", "DEC-35", "Passengers of one flight."),
          Leaf.of("laggard_grace", duration(), "2s", "DEC-26", "How long one may hold up others."),
          Leaf.of("remember", durationOrOff(), "10s", "DEC-44", "A key that proved unshareable."));

  static final Group SPOOL =
      Group.of(
          "spool",
          "DEC-26",
          "Takes an answer off the origin at full speed while a slow client reads.",
          Leaf.of(
              "enabled",
              flag(),
              "false",
              "SPL-01",
              "Whether it does on every route that does not say otherwise."),
          Leaf.of("max_body", size("1KiB", "1GiB"), "2MiB", "DEC-03", "Largest body taken."),
          Leaf.of(
              "max_memory",
              size("1MiB", MOST),
              "256MiB",
              "DEC-38",
              "Memory of all bodies that are kept; not written: less where there is less."));

  static final Group UPGRADE =
      Group.of(
          "upgrade",
          "DEC-41",
          "WebSockets: tunnels that are opened by the origin's 101.",
          Leaf.of(
              "enabled",
              flag(),
              "false",
              "PRX-14",
              "Whether they are let through; without it a handshake is answered with 501."),
          Leaf.of(
              "max_concurrent",
              count(1, 1_000_000),
              "100",
              "PRX-16, DEC-33",
              "How many at most, from the handshake to the close of both sides; beyond it 503. They take no render permit and do not count to origin.max_connections."));

  private SharingKeys() {}
}
