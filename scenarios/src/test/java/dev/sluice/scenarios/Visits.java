package dev.sluice.scenarios;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Clients that send bytes, each on a connection of its own, and read whole answers. Stateless. */
final class Visits {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Visits() {}

  /** A document, or anything else that is asked for with no more than these lines. */
  static String get(String target, String... lines) {
    var text = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: shop.example\r\n");
    for (String line : lines) {
      text.append(line).append("\r\n");
    }
    return text.append("\r\n").toString();
  }

  static RawResponse one(int port, String request) {
    return atOnce(port, List.of(request)).get(0);
  }

  static List<RawResponse> atOnce(int port, String request, int count) {
    return atOnce(port, Collections.nCopies(count, request));
  }

  /** First all connect, then all send, then their answers are read in the same order. */
  static List<RawResponse> atOnce(int port, List<String> requests) {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < requests.size(); i++) {
        clients.add(RawClient.connect(port, PATIENCE));
      }
      for (int i = 0; i < requests.size(); i++) {
        clients.get(i).send(requests.get(i));
      }
      return clients.stream().map(RawClient::readAll).toList();
    } finally {
      clients.forEach(RawClient::close);
    }
  }

  /** One after the other. */
  static List<RawResponse> inTurn(int port, List<String> requests) {
    return requests.stream().map(request -> one(port, request)).toList();
  }
}
