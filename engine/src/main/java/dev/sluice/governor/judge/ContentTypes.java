package dev.sluice.governor.judge;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which media types can be the answer to what was asked. Stateless. */
final class ContentTypes {

  /** The type of a response that has none. */
  static final String NONE = "";

  /** The type of a response that names several, or none that is to be understood. */
  static final String MALFORMED = "*";

  private static final String RSC = "text/x-component";
  private static final String OCTETS = "application/octet-stream";
  private static final List<String> IMAGE = List.of("image/");
  private static final List<String> FONT = List.of("font/", "application/", "image/svg+xml");
  private static final List<String> MEDIA = List.of("audio/", "video/", "application/", "image/");
  private static final List<String> SCRIPT =
      List.of(
          "text/javascript",
          "application/javascript",
          "application/x-javascript",
          "text/ecmascript",
          "application/ecmascript");
  private static final List<String> JSON = List.of("application/", "text/json", "text/plain");
  private static final List<String> XML = List.of("application/", "text/xml");
  private static final List<String> TEXT = List.of("text/plain", "text/markdown", "text/csv");
  private static final List<String> BINARY = List.of("application/");

  /** Beginnings of the types that fit an extension. */
  private static final Map<String, List<String>> BY_EXTENSION =
      Map.ofEntries(
          Map.entry("js", SCRIPT),
          Map.entry("mjs", SCRIPT),
          Map.entry("cjs", SCRIPT),
          Map.entry("css", List.of("text/css")),
          Map.entry("json", JSON),
          Map.entry("map", JSON),
          Map.entry("webmanifest", JSON),
          Map.entry("xml", XML),
          Map.entry("txt", TEXT),
          Map.entry("md", TEXT),
          Map.entry("csv", TEXT),
          Map.entry("png", IMAGE),
          Map.entry("jpg", IMAGE),
          Map.entry("jpeg", IMAGE),
          Map.entry("gif", IMAGE),
          Map.entry("webp", IMAGE),
          Map.entry("avif", IMAGE),
          Map.entry("jxl", IMAGE),
          Map.entry("bmp", IMAGE),
          Map.entry("svg", IMAGE),
          Map.entry("ico", IMAGE),
          Map.entry("woff", FONT),
          Map.entry("woff2", FONT),
          Map.entry("ttf", FONT),
          Map.entry("otf", FONT),
          Map.entry("eot", FONT),
          Map.entry("mp3", MEDIA),
          Map.entry("mp4", MEDIA),
          Map.entry("m4a", MEDIA),
          Map.entry("ogg", MEDIA),
          Map.entry("wav", MEDIA),
          Map.entry("webm", MEDIA),
          Map.entry("mov", MEDIA),
          Map.entry("wasm", BINARY),
          Map.entry("pdf", BINARY),
          Map.entry("zip", BINARY),
          Map.entry("gz", BINARY));

  private ContentTypes() {}

  /** The media type in lower case without parameters, {@link #NONE} or {@link #MALFORMED}. */
  static String of(Headers response) {
    List<String> lines = response.all(FieldName.CONTENT_TYPE);
    if (lines.isEmpty()) {
      return NONE;
    }
    String line = lines.get(0);
    int semicolon = line.indexOf(';');
    String type = (semicolon < 0 ? line : line.substring(0, semicolon)).strip();
    boolean one = lines.size() == 1 && type.indexOf('/') > 0 && type.indexOf(',') < 0;
    return one ? type.toLowerCase(Locale.ROOT) : MALFORMED;
  }

  /** Whether the payload answers who asked for it, and the document who asked for that (N01). */
  static boolean fitsRepresentation(String type, boolean rsc) {
    return !type.equals(MALFORMED) && !(rsc ? isDocument(type) : type.equals(RSC));
  }

  /**
   * Whether a file of such a name can have this type (DEC-43). An extension that is not known fits
   * whatever is no page: what is private in a page does not come with a file's request, which
   * carries no cookies.
   */
  static boolean fitsFile(String type, String path) {
    if (type.equals(NONE) || isDocument(type) || type.equals(RSC)) {
      return false;
    }
    List<String> fitting = BY_EXTENSION.get(extension(path));
    return fitting == null
        || (type.equals(OCTETS) && fitting != SCRIPT)
        || fitting.stream().anyMatch(type::startsWith);
  }

  static boolean isEventStream(String type) {
    return type.equals("text/event-stream");
  }

  private static boolean isDocument(String type) {
    return type.equals("text/html") || type.equals("application/xhtml+xml");
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
  }
}
