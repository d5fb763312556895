package dev.sluice.config;

import dev.sluice.net.NetSettings.Address;

/**
 * Keys of wire, upstreams and routes that do nothing, or less than they seem to, beside others
 * (CFG-07). They are warned of and not refused: the same file serves where the other key says
 * otherwise. Stateless.
 */
final class InertRules {

  private static final String UPSTREAMS = "origin.upstreams";
  private static final String BALANCING = "origin.load_balancing";
  private static final String MAX = "origin.concurrency.max";
  private static final String PER_UPSTREAM = "origin.concurrency.per_upstream";
  private static final String VERSION = "origin.http_version";
  private static final String UPGRADES = "upgrade.enabled";
  private static final String SOCKETS = "upgrade.max_concurrent";
  private static final String CONNECTIONS = "server.max_connections";
  private static final String PROXY_PROTOCOL = "server.proxy_protocol";

  private final Values values;
  private final Problems problems;

  InertRules(Values values, Problems problems) {
    this.values = values;
    this.problems = problems;
  }

  void check() {
    balancing();
    shareOfOne();
    upgradesBesideHttp2();
    sockets();
    proxyProtocolBesideTls();
    for (int i = 0; i < values.routes(); i++) {
      withoutRenders("routes[" + i + "]");
    }
  }

  /** ORG-03, ORG-04: the addresses of one name are always taken in turn. */
  private void balancing() {
    if (values.sound(BALANCING, UPSTREAMS)
        && !values.text(BALANCING).equals("round_robin")
        && upstreams() == 1) {
      warn(
          BALANCING,
          values.shown(BALANCING) + " chooses among upstreams, and there is one",
          "name each of the application's instances in " + UPSTREAMS);
    }
  }

  /** BEY-23: a ceiling that one upstream alone may fill is none for whoever survives. */
  private void shareOfOne() {
    if (values.sound(UPSTREAMS, MAX, PER_UPSTREAM)
        && upstreams() > 1
        && values.count(PER_UPSTREAM) >= values.count(MAX)) {
      warn(
          PER_UPSTREAM,
          values.shown(PER_UPSTREAM)
              + " is not below "
              + MAX
              + " "
              + values.shown(MAX)
              + ": whoever is left alone gets all of it",
          "lower it to what one upstream can do");
    }
  }

  /** DEC-41: a WebSocket is asked for over HTTP/1.1, whatever the rest is spoken in. */
  private void upgradesBesideHttp2() {
    if (values.sound(VERSION, UPGRADES)
        && values.flag(UPGRADES)
        && values.text(VERSION).equals("http2")) {
      warn(
          UPGRADES,
          "true beside "
              + VERSION
              + " http2: a WebSocket is asked for over HTTP/1.1, and an origin that does not"
              + " take it refuses each of them",
          "see that the origin takes HTTP/1.1, too");
    }
  }

  /** PRX-16: each socket is a connection of a client's. */
  private void sockets() {
    if (values.sound(UPGRADES, SOCKETS, CONNECTIONS)
        && values.flag(UPGRADES)
        && !values.isAuto(CONNECTIONS)
        && values.count(SOCKETS) > values.count(CONNECTIONS)) {
      warn(
          SOCKETS,
          values.shown(SOCKETS)
              + " is above "
              + CONNECTIONS
              + " "
              + values.shown(CONNECTIONS)
              + ", and a WebSocket is one of them: it is never reached",
          "raise " + CONNECTIONS + " well above it");
    }
  }

  /** T03: the header is for the clear-text listener. */
  private void proxyProtocolBesideTls() {
    if (values.sound(PROXY_PROTOCOL)
        && values.flag(PROXY_PROTOCOL)
        && values.written("server.tls")) {
      warn(
          PROXY_PROTOCOL,
          "true concerns server.listen alone: a connection to server.tls.listen that begins with"
              + " the header is closed",
          "let the balancer send none to that listener");
    }
  }

  /** DEC-33: these two take no render permit, and a stream never waits for its own. */
  private void withoutRenders(String route) {
    if (!values.sound(route + ".class")) {
      return;
    }
    String of = values.text(route + ".class");
    String weight = route + ".weight";
    if (!renders(of)
        && values.written(weight)
        && values.sound(weight)
        && values.count(weight) > 1) {
      warn(
          weight,
          values.shown(weight)
              + " has no effect on what class "
              + of
              + " serves: it takes no render permit, and its ceiling counts requests",
          "leave the key out; bound the route by concurrency.max");
    }
    String queue = route + ".concurrency.queue";
    if (of.equals("streaming") && values.written(queue)) {
      warn(
          queue,
          "has no effect beside class streaming, which has no queue: what finds no room is told so"
              + " at once",
          "leave it out");
    }
  }

  /** Whether a route's own class takes render permits. */
  static boolean renders(String routeClass) {
    return !routeClass.equals("static") && !routeClass.equals("streaming");
  }

  private int upstreams() {
    return values.list(UPSTREAMS, Address.class).size();
  }

  private void warn(String key, String message, String suggestion) {
    problems.warn(values.spot(key), key, message, suggestion);
  }
}
