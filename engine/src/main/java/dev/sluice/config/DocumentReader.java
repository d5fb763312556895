package dev.sluice.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns YAML text into nodes that know their place. Confined to one reading. */
final class DocumentReader {

  /** A mark has a line of its own; the text that it quotes stands indented beneath it. */
  private static final Pattern PLACE =
      Pattern.compile("(?m)^ in [^,\n]*, line (\\d{1,9}), column (\\d{1,9})");

  private final String text;
  private final Problems problems;

  DocumentReader(String text, Problems problems) {
    this.text = text;
    this.problems = problems;
  }

  /** The document, or nothing when the text is no YAML; then the problem says where and why. */
  Optional<Node> read() {
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      if (parser.nextToken() == null) {
        problems.error(Spot.START, "", "the file is empty", "sluice init writes one to start from");
        return Optional.empty();
      }
      Node document = node(parser);
      if (parser.nextToken() != null) {
        problems.error(spot(parser), "", "a second document begins here", "keep one per file");
      }
      return Optional.of(document);
    } catch (JsonProcessingException e) {
      broken(e);
      return Optional.empty();
    } catch (IOException e) {
      // Reading a String does no I/O.
      throw new UncheckedIOException(e);
    }
  }

  private Node node(YAMLParser parser) throws IOException {
    Spot spot = spot(parser);
    if (parser.isCurrentAlias()) {
      problems.error(spot, "", "an alias (*" + parser.getText() + ") is not taken", "write it out");
      return new Node.Empty(spot);
    }
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return mapping(parser, spot);
    }
    if (token == JsonToken.START_ARRAY) {
      return sequence(parser, spot);
    }
    return token == JsonToken.VALUE_NULL
        ? new Node.Empty(spot)
        : new Node.Scalar(spot, parser.getText());
  }

  private Node mapping(YAMLParser parser, Spot spot) throws IOException {
    List<Node.Entry> entries = new ArrayList<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      Spot keySpot = spot(parser);
      parser.nextToken();
      entries.add(new Node.Entry(key, keySpot, node(parser)));
    }
    return new Node.Mapping(spot, entries);
  }

  private Node sequence(YAMLParser parser, Spot spot) throws IOException {
    List<Node> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node(parser));
    }
    return new Node.Sequence(spot, items);
  }

  private static Spot spot(YAMLParser parser) {
    JsonLocation location = parser.currentTokenLocation();
    return new Spot(location.getLineNr(), location.getColumnNr());
  }

  private void broken(JsonProcessingException e) {
    Spot spot = place(e);
    String line = text.lines().skip(spot.line() - 1L).findFirst().orElse("");
    if (line.stripLeading().length() < line.length() && line.indexOf('\t') >= 0) {
      problems.error(
          spot, "", "this is not YAML: a tab stands in the indentation", "use spaces instead");
      return;
    }
    problems.error(
        spot, "", "this is not YAML: " + reason(e), "look at this line and the one above it");
  }

  /** The parser's message carries the exact place only in its text; the last one is the fault's. */
  private static Spot place(JsonProcessingException e) {
    Matcher matcher = PLACE.matcher(e.getOriginalMessage());
    Spot spot = null;
    while (matcher.find()) {
      spot = new Spot(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }
    if (spot != null) {
      return spot;
    }
    JsonLocation location = e.getLocation();
    return location == null
        ? Spot.START
        : new Spot(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }

  private static String reason(JsonProcessingException e) {
    return String.join(
        ", ",
        e.getOriginalMessage()
            .lines()
            .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
            .toList());
  }
}
