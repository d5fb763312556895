package dev.sluice.config;

/**
 * One thing that is wrong, or doubtful, about a configuration file. Immutable.
 *
 * @param line and {@code column}, counted from 1, of the key or the value that is meant
 * @param keyPath as {@code routes[2].cache.ttl.max}; empty for the file as a whole
 * @param message what is wrong, with the offending and the expected value
 * @param suggestion what to do about it; may be empty
 */
public record SettingsProblem(
    Severity severity,
    String file,
    int line,
    int column,
    String keyPath,
    String message,
    String suggestion) {

  /** Whether a file with the problem may be run. */
  public enum Severity {
    /** It may not. */
    ERROR,
    /** It may, but its author should know. */
    WARNING
  }

  /** One line: {@code file:line:column: error: key: message; suggestion}. */
  @Override
  public String toString() {
    String word = severity == Severity.ERROR ? "error" : "warning";
    String key = keyPath.isEmpty() ? "" : keyPath + ": ";
    String remedy = suggestion.isEmpty() ? "" : "; " + suggestion;
    return file + ":" + line + ":" + column + ": " + word + ": " + key + message + remedy;
  }
}
