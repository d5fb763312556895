package dev.sluice.chaos.toxiproxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What each request to the API is answered with. Confined to the API's thread. */
final class Api {

  /** The version of the API that this server speaks. */
  static final String VERSION = "2.12.0";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Proxies proxies;

  Api(Proxies proxies) {
    this.proxies = proxies;
  }

  /** An answer; empty text is no body. */
  record Answer(int status, String text) {

    static final Answer DONE = new Answer(204, "");
    static final Answer NO_SUCH_PAGE = new Answer(404, "404 page not found");
    static final Answer NOT_ALLOWED = new Answer(405, "");

    static Answer of(int status, JsonNode json) {
      return new Answer(status, json.toString());
    }
  }

  /**
   * Does what is asked.
   *
   * @param path decoded, in its parts
   */
  Answer answer(String method, List<String> path, String body) {
    try {
      return switch (path.size()) {
        case 1 -> root(method, path.get(0), body);
        case 2 -> path.get(0).equals("proxies") ? proxy(method, path.get(1), body) : noPage();
        case 3 -> isToxics(path) ? toxics(method, path.get(1), body) : noPage();
        case 4 -> isToxics(path) ? toxic(method, path.get(1), path.get(3), body) : noPage();
        default -> noPage();
      };
    } catch (ApiFailure failure) {
      ObjectNode json = JSON.objectNode();
      json.put("error", failure.reason()).put("status", failure.status());
      return Answer.of(failure.status(), json);
    }
  }

  private static boolean isToxics(List<String> path) {
    return path.get(0).equals("proxies") && path.get(2).equals("toxics");
  }

  private static Answer noPage() {
    return Answer.NO_SUCH_PAGE;
  }

  private Answer root(String method, String page, String body) {
    return switch (method + " " + page) {
      case "GET version" -> Answer.of(200, JSON.objectNode().put("version", VERSION));
      case "GET proxies" -> all();
      case "POST proxies" -> Answer.of(201, proxies.create(JsonBody.object(body)).toJson());
      case "POST populate" -> populate(body);
      case "POST reset" -> reset();
      default ->
          List.of("version", "proxies", "populate", "reset").contains(page)
              ? Answer.NOT_ALLOWED
              : noPage();
    };
  }

  private Answer all() {
    ObjectNode json = JSON.objectNode();
    proxies.all().forEach(proxy -> json.set(proxy.name(), proxy.toJson()));
    return Answer.of(200, json);
  }

  private Answer populate(String body) {
    ObjectNode json = JSON.objectNode();
    ArrayNode list = json.putArray("proxies");
    proxies.populate(JsonBody.list(body)).forEach(proxy -> list.add(proxy.toJson()));
    return Answer.of(201, json);
  }

  private Answer reset() {
    proxies.all().forEach(Proxy::reset);
    return Answer.DONE;
  }

  private Answer proxy(String method, String name, String body) {
    Proxy proxy = proxies.get(name);
    switch (method) {
      case "GET" -> {
        return Answer.of(200, proxy.toJson());
      }
      case "POST", "PATCH" -> {
        proxy.update(JsonBody.object(body));
        return Answer.of(200, proxy.toJson());
      }
      case "DELETE" -> {
        proxies.delete(name);
        return Answer.DONE;
      }
      default -> {
        return Answer.NOT_ALLOWED;
      }
    }
  }

  private Answer toxics(String method, String name, String body) {
    Proxy proxy = proxies.get(name);
    switch (method) {
      case "GET" -> {
        ArrayNode list = JSON.arrayNode();
        proxy.toxics().forEach(toxic -> list.add(toxic.toJson()));
        return Answer.of(200, list);
      }
      case "POST" -> {
        return Answer.of(200, proxy.addToxic(JsonBody.object(body)).toJson());
      }
      default -> {
        return Answer.NOT_ALLOWED;
      }
    }
  }

  private Answer toxic(String method, String name, String toxic, String body) {
    Proxy proxy = proxies.get(name);
    switch (method) {
      case "GET" -> {
        return Answer.of(200, proxy.toxic(toxic).toJson());
      }
      case "POST", "PATCH" -> {
        return Answer.of(200, proxy.updateToxic(toxic, JsonBody.object(body)).toJson());
      }
      case "DELETE" -> {
        proxy.removeToxic(toxic);
        return Answer.DONE;
      }
      default -> {
        return Answer.NOT_ALLOWED;
      }
    }
  }
}
