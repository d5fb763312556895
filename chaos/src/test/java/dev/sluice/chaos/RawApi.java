package dev.sluice.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Toxiproxy's API as its bytes say, where the client of others hides the answer. Thread-safe. */
final class RawApi {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI url;

  RawApi(URI url) {
    this.url = url;
  }

  /** Status, body, and the field Content-Type. */
  record Reply(int status, String text, String contentType) {

    JsonNode json() {
      try {
        return JSON.readTree(text);
      } catch (JsonProcessingException e) {
        throw new AssertionError("no JSON: " + text, e);
      }
    }
  }

  Reply ask(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve(path)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Reply(
          response.statusCode(),
          response.body(),
          response.headers().firstValue("Content-Type").orElse(""));
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  Reply get(String path) {
    return ask("GET", path, "");
  }

  Reply post(String path, String body) {
    return ask("POST", path, body);
  }

  Reply delete(String path) {
    return ask("DELETE", path, "");
  }
}
