package dev.sluice;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.governor.Purger;

/** Who asks one proxy's admin listener. Confined to the test's thread. */
record Operator(Running running, Sluice sluice) {

  static final String TOKEN = "a-token-of-24-characters";

  RawResponse ask(String method, String target, String... fields) {
    var request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: admin\r\n");
    for (String field : fields) {
      request.append(field).append("\r\n");
    }
    return running.closing(RawClient.connect(sluice.adminPort())).send(request + "\r\n").readAll();
  }

  /** With the token; what was purged. */
  Purger.Purged purge(String query) {
    RawResponse answer = ask("POST", "/purge?" + query, "Authorization: Bearer " + TOKEN);
    JsonNode told = json(answer.text());
    return new Purger.Purged(
        told.get("entries").asInt(), told.get("flights").asInt(), told.get("number").asLong());
  }

  JsonNode status() {
    return json(ask("GET", "/status").text());
  }

  String metrics() {
    return ask("GET", "/metrics").text();
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }
}
