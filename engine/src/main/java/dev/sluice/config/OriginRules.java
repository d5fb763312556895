package dev.sluice.config;

import dev.sluice.net.NetSettings.Address;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Combinations of {@code origin} keys that cannot work (CFG-16 to CFG-19, DEC-37). Stateless. */
final class OriginRules {

  private static final String UPSTREAMS = "origin.upstreams";
  private static final String COMMAND = "origin.command";
  private static final String MAX_EJECTED = "origin.breaker.max_ejected_percent";
  private static final String MAX = "origin.concurrency.max";
  private static final String PER_UPSTREAM = "origin.concurrency.per_upstream";
  private static final String MAX_CONNECTIONS = "origin.max_connections";

  private final Values values;
  private final Problems problems;

  OriginRules(Values values, Problems problems) {
    this.values = values;
    this.problems = problems;
  }

  void check() {
    upstreams();
    command();
    protocol();
    breaker();
    retry();
    connections();
    ceilings();
    health();
    identity();
    queue();
  }

  private void upstreams() {
    if (!values.sound(UPSTREAMS)) {
      return;
    }
    List<Address> upstreams = values.list(UPSTREAMS, Address.class);
    Set<String> seen = new HashSet<>();
    for (Address upstream : upstreams) {
      if (!seen.add(upstream.label())) {
        error(UPSTREAMS, values.shown(UPSTREAMS) + " names one address twice", "name it once");
      }
    }
    if (upstreams.isEmpty()) {
      error(UPSTREAMS, "[] (expected: at least one host:port)", "name the application's address");
    }
  }

  /** DEC-20: one application, and known where it listens. */
  private void command() {
    if (!values.sound(COMMAND, UPSTREAMS)) {
      return;
    }
    List<String> command = values.list(COMMAND, String.class);
    int upstreams = values.list(UPSTREAMS, Address.class).size();
    if (!command.isEmpty() && upstreams > 1) {
      error(
          COMMAND,
          values.shown(COMMAND)
              + " starts one application, and origin.upstreams names "
              + upstreams,
          "name the application's address alone, or start the applications elsewhere");
    }
    if (!command.isEmpty() && command.get(0).isBlank()) {
      error(COMMAND, values.shown(COMMAND) + " names no program", "write [program, argument, ...]");
    }
  }

  private void protocol() {
    String version = "origin.http_version";
    if (values.sound(version)
        && values.text(version).equals("auto")
        && !values.written("origin.tls")) {
      error(
          version,
          "auto needs origin.tls: the protocol is agreed on in TLS (ALPN)",
          "set origin.tls, or name http1 or http2");
    }
    if (values.written("origin.tls") && !values.written("origin.tls.sni")) {
      error(
          "origin.tls",
          "the section is without origin.tls.sni: no name is asked for and none is verified",
          "set origin.tls.sni to the name in the origin's certificate");
    }
  }

  private void breaker() {
    String enabled = "origin.breaker.enabled";
    if (values.sound(enabled, UPSTREAMS)
        && values.flag(enabled)
        && values.list(UPSTREAMS, Address.class).size() == 1) {
      error(
          enabled,
          "true with one address in origin.upstreams: nobody is left when it opens",
          "name a second upstream or turn the breaker off");
    }
    if (values.sound(enabled, UPSTREAMS, MAX_EJECTED) && values.flag(enabled)) {
      oneMayBeEjected(values.list(UPSTREAMS, Address.class).size());
    }
  }

  /** ORG-16: beyond the share nobody is left out, so one that is less than one is no breaker. */
  private void oneMayBeEjected(int upstreams) {
    int percent = values.count(MAX_EJECTED);
    if (upstreams > 1 && percent * upstreams < 100) {
      error(
          MAX_EJECTED,
          percent
              + " % of the "
              + upstreams
              + " addresses in origin.upstreams is not even one: nobody would ever be left out",
          "write at least " + (99 + upstreams) / upstreams);
    }
  }

  private void retry() {
    String attempts = "origin.retry.max_attempts";
    if (values.sound(attempts) && values.count(attempts) == 1) {
      error(
          attempts,
          values.shown(attempts) + " would never retry (expected: at least 2)",
          "write 2, or origin.retry.enabled: false");
    }
    String retry = "origin.retry.";
    if (values.sound(retry + "enabled", retry + "budget_percent", retry + "budget_min")
        && values.flag(retry + "enabled")
        && values.count(retry + "budget_percent") == 0
        && values.count(retry + "budget_min") == 0) {
      error(
          "origin.retry",
          "budget_percent 0 and budget_min 0: a budget of nothing never retries",
          "raise one of them, or write origin.retry.enabled: false");
    }
  }

  /** BEY-23: a global limit that upstreams at their ceilings never reach. */
  private void ceilings() {
    if (!values.sound(UPSTREAMS, MAX, PER_UPSTREAM) || values.count(PER_UPSTREAM) == 0) {
      return;
    }
    int upstreams = values.list(UPSTREAMS, Address.class).size();
    long together = (long) values.count(PER_UPSTREAM) * upstreams;
    if (together < values.count(MAX)) {
      problems.warn(
          values.spot(PER_UPSTREAM),
          PER_UPSTREAM,
          values.shown(PER_UPSTREAM)
              + " for each of "
              + upstreams
              + " upstreams is "
              + together
              + " in all, and "
              + MAX
              + " "
              + values.shown(MAX)
              + " is never reached",
          "lower " + MAX + " to " + together + ", so that queue and shares are sized for it");
    }
  }

  /** DEC-37: too few connections for the flights that are admitted. */
  private void connections() {
    if (!values.sound(MAX_CONNECTIONS) || values.count(MAX_CONNECTIONS) == 0) {
      return;
    }
    if (values.sound(PER_UPSTREAM)) {
      enough(PER_UPSTREAM);
    }
    if (values.sound(UPSTREAMS, MAX) && values.list(UPSTREAMS, Address.class).size() == 1) {
      enough(MAX);
    }
  }

  private void enough(String limit) {
    if (values.count(MAX_CONNECTIONS) < values.count(limit)) {
      error(
          MAX_CONNECTIONS,
          values.shown(MAX_CONNECTIONS) + " is below " + limit + " " + values.shown(limit),
          "raise it to the limit, or write 0 for no bound");
    }
  }

  private void identity() {
    isPath("origin.identity.path");
    String value = "origin.identity.value";
    if (values.sound(value)) {
      String text = values.text(value);
      boolean plain = text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
      if (text.isBlank() || !plain || !text.equals(text.strip())) {
        error(
            value,
            values.shown(value) + " is no field's value (expected: visible ASCII)",
            "write what stands behind the field's colon");
      }
    }
  }

  private void isPath(String path) {
    if (values.sound(path)) {
      String target = values.text(path);
      boolean plain = target.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
      if (!target.startsWith("/") || !plain) {
        error(
            path,
            values.shown(path) + " is no path (expected: a target as /healthz)",
            "begin it with a slash; write others than visible ASCII as %XX");
      }
    }
  }

  private void health() {
    isPath("origin.health.path");
    String interval = "origin.health.interval";
    String timeout = "origin.health.timeout";
    if (values.sound(interval, timeout)
        && values.duration(timeout).compareTo(values.duration(interval)) > 0) {
      error(
          timeout,
          values.shown(timeout)
              + " is above "
              + interval
              + " "
              + values.shown(interval)
              + ": a probe would still wait when the next one is due",
          "lower it to the interval or below");
    }
  }

  private void queue() {
    nobodyWaits("origin.concurrency.queue");
    for (int i = 0; i < values.routes(); i++) {
      nobodyWaits("routes[" + i + "].concurrency.queue");
    }
  }

  private void nobodyWaits(String queue) {
    String timeout = queue + ".timeout";
    String max = queue + ".max";
    if (values.sound(timeout) && values.duration(timeout).isZero()) {
      problems.warn(
          values.spot(timeout),
          timeout,
          values.shown(timeout) + ": nobody waits, whoever finds no permit is shed at once",
          "a short burst needs a second or two");
    }
    if (values.sound(max) && !values.isAuto(max) && values.count(max) == 0) {
      problems.warn(
          values.spot(max),
          max,
          values.shown(max) + ": nobody waits, whoever finds no permit is shed at once",
          "auto is 2 x max");
    }
  }

  private void error(String key, String message, String suggestion) {
    problems.error(values.spot(key), key, message, suggestion);
  }
}
