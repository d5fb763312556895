package dev.sluice.chaos.toxiproxy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads the bodies that the API is sent. Stateless. */
final class JsonBody {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonBody() {}

  /**
   * A body that must be an object.
   *
   * @throws ApiFailure if it is none
   */
  static JsonNode object(String text) {
    JsonNode body = parse(text);
    if (!body.isObject()) {
      throw ApiFailure.badBody("expected an object");
    }
    return body;
  }

  /**
   * A body that must be a list.
   *
   * @throws ApiFailure if it is none
   */
  static JsonNode list(String text) {
    JsonNode body = parse(text);
    if (!body.isArray()) {
      throw ApiFailure.badBody("expected a list");
    }
    return body;
  }

  /** A field that is text or absent. */
  static String text(JsonNode body, String field, String otherwise) {
    JsonNode value = body.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isTextual()) {
      throw ApiFailure.badBody(field + ": " + value + " (expected: text)");
    }
    return value.asText();
  }

  /** A field that is true, false or absent. */
  static boolean flag(JsonNode body, String field, boolean otherwise) {
    JsonNode value = body.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw ApiFailure.badBody(field + ": " + value + " (expected: true or false)");
    }
    return value.asBoolean();
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw ApiFailure.badBody(e.getOriginalMessage());
    }
  }
}
