package dev.sluice.chaos.toxiproxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Objects;

/**
 * A fault as the API describes it. Immutable.
 *
 * @param toxicity the share of connections that it strikes, 0 to 1
 * @param attributes all that its type has
 */
record Toxic(
    String name,
    ToxicType type,
    Direction direction,
    double toxicity,
    Map<String, Long> attributes) {

  private static final double EVERY_CONNECTION = 1.0;

  Toxic {
    attributes = Map.copyOf(attributes);
  }

  /**
   * The toxic that this body describes; downstream and for every connection unless it says
   * otherwise.
   *
   * @throws ApiFailure with the answer that a wrong body gets
   */
  static Toxic parse(JsonNode body) {
    String typeWord = JsonBody.text(body, "type", "");
    String streamWord = JsonBody.text(body, "stream", Direction.DOWNSTREAM.word());
    Direction direction = Direction.of(streamWord);
    String name = JsonBody.text(body, "name", "");
    ToxicType type = ToxicType.of(typeWord);
    return new Toxic(
        name.isEmpty() ? typeWord + "_" + streamWord : name,
        type,
        direction,
        toxicity(body, EVERY_CONNECTION),
        type.changed(type.defaults(), body.path("attributes")));
  }

  /** This toxic with the attributes and the toxicity that the body names. */
  Toxic updated(JsonNode body) {
    return new Toxic(
        name,
        type,
        direction,
        toxicity(body, toxicity),
        type.changed(attributes, body.path("attributes")));
  }

  /** One of its attributes, in the unit of its type. */
  long attribute(String attribute) {
    return Objects.requireNonNull(attributes.get(attribute), attribute);
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ObjectNode values = json.putObject("attributes");
    type.defaults().keySet().forEach(key -> values.put(key, attribute(key)));
    return json.put("name", name)
        .put("type", type.word())
        .put("stream", direction.word())
        .put("toxicity", toxicity);
  }

  private static double toxicity(JsonNode body, double otherwise) {
    JsonNode value = body.path("toxicity");
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isNumber()) {
      throw ApiFailure.badBody("toxicity: " + value + " (expected: a number)");
    }
    return value.asDouble();
  }
}
