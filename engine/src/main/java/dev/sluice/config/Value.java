package dev.sluice.config;

/**
 * One value in force. Immutable.
 *
 * @param value as its type reads it
 * @param shown as it may be printed: an environment's value and a secret stay hidden
 */
record Value(String keyPath, Object value, String shown, Source source, Spot spot) {

  /** Where a value came from. */
  enum Source {
    FILE,
    ENVIRONMENT,
    DEFAULT,
    /** Worked out from the machine or from other values. */
    RESOLVED
  }

  boolean isWritten() {
    return source == Source.FILE || source == Source.ENVIRONMENT;
  }

  /** The same key with what {@code auto} came to. */
  Value resolved(Object resolvedValue, String resolvedShown) {
    return new Value(keyPath, resolvedValue, resolvedShown, Source.RESOLVED, spot);
  }
}
