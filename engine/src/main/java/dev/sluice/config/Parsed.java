package dev.sluice.config;

/** What a text turned out to be under the type its key asks for. */
sealed interface Parsed {

  /** It fits: an Integer, Long, Double, Boolean, Duration, String, Address, Auto or a List. */
  record Good(Object value) implements Parsed {}

  /**
   * It does not.
   *
   * @param wrong the words behind the offending text: {@code has no unit}
   * @param expected what the key takes; {@code remedy} may be empty
   */
  record Bad(String wrong, String expected, String remedy) implements Parsed {

    /** The sentence, with the offending text as it may be shown. */
    String message(String shown) {
      return (shown.isEmpty() ? "\"\"" : shown) + " " + wrong + " (expected: " + expected + ")";
    }
  }
}
