package dev.sluice.scenarios.simulation;

import java.util.List;

/**
 * What one client saw of one request. Immutable.
 *
 * @param kind which part of the mix
 * @param target path and query
 * @param beganMillis wall clock when it was asked for
 * @param tookMicros from there to the last byte, or to the client's giving up
 * @param status 0 = no whole answer
 * @param bytes of the body
 * @param crc32 of the body
 * @param how the word of {@code X-Sluice}, where it is shown
 * @param render the origin's number of its answer
 * @param origin the origin's name
 * @param cookie the value of {@code Set-Cookie}
 * @param contentType of the answer
 * @param retryAfter as it came
 */
public record Sample(
    String kind,
    String target,
    long beganMillis,
    long tookMicros,
    int status,
    int bytes,
    long crc32,
    String how,
    String render,
    String origin,
    String cookie,
    String contentType,
    String retryAfter) {

  private static final String GAP = "\t";

  public boolean isOk() {
    return status == 200;
  }

  public double tookMillis() {
    return tookMicros / 1e3;
  }

  /** One line of a file; no field may hold a tab or a line break. */
  String toLine() {
    return String.join(
        GAP,
        kind,
        target,
        "" + beganMillis,
        "" + tookMicros,
        "" + status,
        "" + bytes,
        "" + crc32,
        how,
        render,
        origin,
        cookie,
        contentType,
        retryAfter);
  }

  /** Reads what {@link #toLine} wrote. */
  public static Sample parse(String line) {
    List<String> fields = List.of(line.split(GAP, -1));
    if (fields.size() != 13) {
      throw new IllegalArgumentException("not a sample: " + line);
    }
    return new Sample(
        fields.get(0),
        fields.get(1),
        Long.parseLong(fields.get(2)),
        Long.parseLong(fields.get(3)),
        Integer.parseInt(fields.get(4)),
        Integer.parseInt(fields.get(5)),
        Long.parseLong(fields.get(6)),
        fields.get(7),
        fields.get(8),
        fields.get(9),
        fields.get(10),
        fields.get(11),
        fields.get(12));
  }
}
