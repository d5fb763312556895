package dev.sluice.chaos.toxiproxy;

import java.util.Locale;

/** Which way bytes go. */
enum Direction {
  /** From the client to the upstream. */
  UPSTREAM,
  /** From the upstream to the client. */
  DOWNSTREAM;

  /**
   * The direction of that name, in any case.
   *
   * @throws ApiFailure if there is none
   */
  static Direction of(String word) {
    for (Direction direction : values()) {
      if (direction.word().equalsIgnoreCase(word)) {
        return direction;
      }
    }
    throw ApiFailure.badRequest("stream was invalid, can be either upstream or downstream");
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
