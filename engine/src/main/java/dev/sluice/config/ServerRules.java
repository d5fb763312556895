package dev.sluice.config;

import dev.sluice.net.IpNetwork;
import dev.sluice.net.NetSettings.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Listeners, secrets, files and times that do not fit together (CFG-10, 17, 23 to 26). Stateless.
 */
final class ServerRules {

  private static final String TOKEN = "cache.purge.token";
  private static final String ADMIN = "telemetry.admin.listen";
  private static final String PROMETHEUS = "telemetry.prometheus.listen";
  private static final int SHORTEST_TOKEN = 24;
  private static final Duration KUBERNETES_GRACE = Duration.ofSeconds(30);
  private static final long LARGEST_PAGE = 1L << 20;

  private final Values values;
  private final Problems problems;

  ServerRules(Values values, Problems problems) {
    this.values = values;
    this.problems = problems;
  }

  void check() {
    listeners();
    token();
    trust();
    heads();
    busyPage();
    stopTime();
    coalesceWait();
  }

  private void listeners() {
    Map<String, Address> open = new TreeMap<>();
    for (String key : List.of("server.listen", "server.tls.listen")) {
      if (values.sound(key)) {
        open.put(key, (Address) values.at(key).value());
      }
    }
    for (String key : List.of(ADMIN, PROMETHEUS)) {
      optional(key).ifPresent(address -> apart(key, address, open));
    }
    if (open.containsKey("server.tls.listen") && open.containsKey("server.listen")) {
      Address tls = open.remove("server.tls.listen");
      open.keySet().retainAll(List.of("server.listen"));
      apart("server.tls.listen", tls, open);
    }
  }

  private void apart(String key, Address address, Map<String, Address> open) {
    for (Map.Entry<String, Address> other : open.entrySet()) {
      if (Addresses.overlap(address, other.getValue())) {
        problems.error(
            values.spot(key),
            key,
            values.shown(key)
                + " is the address of "
                + other.getKey()
                + " "
                + values.shown(other.getKey())
                + ", too",
            key.equals(PROMETHEUS) && other.getKey().equals(ADMIN)
                ? "leave it empty: the admin listener serves /metrics"
                : "give it a port of its own");
      }
    }
    open.put(key, address);
  }

  private Optional<Address> optional(String key) {
    return values.sound(key)
        ? ((Optional<?>) values.at(key).value()).map(Address.class::cast)
        : Optional.empty();
  }

  private void token() {
    if (!values.sound(TOKEN) || values.text(TOKEN).isEmpty()) {
      return;
    }
    String token = values.text(TOKEN);
    if (token.length() < SHORTEST_TOKEN) {
      error(
          TOKEN,
          "the token has "
              + token.length()
              + " characters (expected: at least "
              + SHORTEST_TOKEN
              + ")",
          "draw one: openssl rand -hex 24");
    }
    if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      error(
          TOKEN,
          "the token has a character that is not printable ASCII",
          "draw one: openssl rand -hex 24");
    }
    if (values.sound(ADMIN) && optional(ADMIN).isEmpty()) {
      error(
          TOKEN,
          "the token is set and "
              + ADMIN
              + " is empty: the purge endpoint lives on the admin listener",
          "set " + ADMIN);
    }
  }

  private void trust() {
    String key = "server.trusted_proxies.from";
    if (values.sound(key)
        && values.list(key, IpNetwork.class).stream().anyMatch(network -> network.prefix() == 0)) {
      error(
          key,
          values.shown(key) + " believes every client's word about its own address",
          "name the networks of your proxies");
    }
  }

  private void heads() {
    atMost("server.max_target", "server.max_header");
    if (values.sound("server.request_memory") && values.at("server.request_memory").isWritten()) {
      atMost("server.read_ahead", "server.request_memory");
    }
  }

  private void atMost(String key, String bound) {
    if (values.sound(key, bound) && values.bytes(key) > values.bytes(bound)) {
      error(
          key,
          values.shown(key) + " is above " + bound + " " + values.shown(bound),
          "lower it or raise the other");
    }
  }

  private void busyPage() {
    String key = "overload.busy_page.file";
    if (!values.sound(key) || values.text(key).isEmpty()) {
      return;
    }
    Path page = Path.of(values.text(key));
    if (!Files.isRegularFile(page) || !Files.isReadable(page)) {
      error(
          key, values.shown(key) + " is not a file that can be read", "empty = the built-in page");
    } else if (page.toFile().length() > LARGEST_PAGE) {
      error(
          key,
          values.shown(key) + " has " + page.toFile().length() + " bytes (expected: at most 1MiB)",
          "a page for an overloaded moment is small");
    } else if (!isUtf8(page)) {
      error(key, values.shown(key) + " is not UTF-8", "save it as UTF-8");
    }
  }

  private static boolean isUtf8(Path page) {
    try {
      String unused = Files.readString(page);
      return true;
    } catch (IOException malformed) {
      return false;
    }
  }

  private void stopTime() {
    String drain = "server.graceful.drain_period";
    String shutdown = "server.graceful.shutdown_timeout";
    if (!values.sound(drain, shutdown)) {
      return;
    }
    Duration sum = values.duration(drain).plus(values.duration(shutdown));
    if (sum.compareTo(KUBERNETES_GRACE) > 0) {
      problems.warn(
          values.spot("server.graceful"),
          "server.graceful",
          "drain_period "
              + values.shown(drain)
              + " + shutdown_timeout "
              + values.shown(shutdown)
              + " = "
              + Units.print(sum)
              + ", longer than Kubernetes waits by default (30s)",
          "raise terminationGracePeriodSeconds above the sum, or shorten one");
    }
  }

  /** CFG-10 and DEC-35: whoever boards must be able to see the flight's head. */
  private void coalesceWait() {
    String key = "timeouts.coalesce_wait";
    if (!values.sound(key, "timeouts.origin_connect", "timeouts.origin_response")
        || values.isAuto(key)) {
      return;
    }
    coalesceWait(key, "origin.concurrency.queue.timeout");
    for (int i = 0; i < values.routes(); i++) {
      coalesceWait(key, "routes[" + i + "].concurrency.queue.timeout");
    }
  }

  private void coalesceWait(String key, String queue) {
    if (!values.sound(queue)) {
      return;
    }
    Duration least =
        values
            .duration(queue)
            .plus(values.duration("timeouts.origin_connect"))
            .plus(values.duration("timeouts.origin_response"));
    if (values.duration(key).compareTo(least) < 0) {
      error(
          key,
          values.shown(key)
              + " is shorter than "
              + queue
              + " "
              + values.shown(queue)
              + " + timeouts.origin_connect "
              + values.shown("timeouts.origin_connect")
              + " + timeouts.origin_response "
              + values.shown("timeouts.origin_response")
              + " (expected: at least "
              + Units.print(least)
              + ")",
          "leave it at auto");
    }
  }

  private void error(String key, String message, String suggestion) {
    problems.error(values.spot(key), key, message, suggestion);
  }
}
