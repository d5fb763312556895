package dev.sluice;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.net.NetLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** Clients of one proxy that ask for pages. Confined to the test's thread. */
record Visitors(Running running, Sluice sluice) {

  /** Global cache and debug headers on, and these routes, one a line. */
  static ProxyFile site(String... routes) {
    ProxyFile file =
        ProxyFile.plain().server("debug_headers: true").block("cache: { enabled: true }");
    return file.block("routes:\n  - " + String.join("\n  - ", routes));
  }

  /** The same with one public route for everything, and these keys of it. */
  static ProxyFile shop(String... keys) {
    String more = keys.length == 0 ? "" : ", " + String.join(", ", keys);
    return site("{ id: shop, match: \"/**\", class: public_ssr" + more + " }");
  }

  /** Asks, and reads nothing yet. */
  RawClient ask(String method, String target, String... fields) {
    var request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    if (Stream.of(fields).noneMatch(field -> field.startsWith("Host:"))) {
      request.append("Host: a.example\r\n");
    }
    for (String field : fields) {
      request.append(field).append("\r\n");
    }
    return running.client(sluice).send(request + "\r\n");
  }

  RawResponse get(String target, String... fields) {
    return ask("GET", target, fields).readAll();
  }

  /** So many that ask for the same, in this order. */
  List<RawClient> crowd(int size, String target, String... fields) {
    List<RawClient> crowd = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      crowd.add(ask("GET", target, fields));
    }
    return crowd;
  }

  /** Returns once so many requests are under way, and those that board a flight are aboard. */
  void awaitUnderWay(int requests) {
    Running.await(
        requests + " requests under way", () -> sluice.status().work().exchanges() == requests);
    // What a loop has begun it finishes first, and what it then asks of another that one does.
    awaitLoops();
    awaitLoops();
  }

  private void awaitLoops() {
    for (NetLoop loop : sluice.loops().all()) {
      var done = new CountDownLatch(1);
      loop.execute(done::countDown);
      Running.await("a turn of " + loop.index(), () -> done.getCount() == 0);
    }
  }

  /** Returns once nothing is under way, at the origin neither. */
  void awaitIdle() {
    Running.await(
        "rest",
        () -> {
          var work = sluice.status().work();
          return work.exchanges() == 0 && work.flights() == 0;
        });
  }

  static List<RawResponse> readAll(List<RawClient> crowd) {
    return crowd.stream().map(RawClient::readAll).toList();
  }
}
