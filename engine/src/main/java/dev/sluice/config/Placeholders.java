package dev.sluice.config;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces {@code ${NAME}} by the environment's value (CFG-27). Immutable. */
final class Placeholders {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)(}?)");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final Map<String, String> environment;

  Placeholders(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** Whether a value takes anything from the environment; then its text is never printed. */
  static boolean isUsedBy(String text) {
    return text.contains("${");
  }

  /** The text with every placeholder filled, or nothing after a problem. */
  Optional<String> fill(Node.Scalar scalar, String keyPath, Problems problems) {
    if (!isUsedBy(scalar.text())) {
      return Optional.of(scalar.text());
    }
    Matcher matcher = PLACEHOLDER.matcher(scalar.text());
    StringBuilder filled = new StringBuilder();
    boolean complete = true;
    while (matcher.find()) {
      Optional<String> value = value(matcher, scalar, keyPath, problems);
      complete &= value.isPresent();
      matcher.appendReplacement(filled, Matcher.quoteReplacement(value.orElse("")));
    }
    return complete ? Optional.of(matcher.appendTail(filled).toString()) : Optional.empty();
  }

  private Optional<String> value(
      Matcher matcher, Node.Scalar scalar, String keyPath, Problems problems) {
    String name = matcher.group(1);
    if (matcher.group(2).isEmpty() || !NAME.matcher(name).matches()) {
      problems.error(
          scalar.spot(),
          keyPath,
          "${" + name + " names no environment variable (expected: ${NAME})",
          "close the brace; letters, digits and _ make a name");
      return Optional.empty();
    }
    String value = environment.get(name);
    if (value == null) {
      problems.error(
          scalar.spot(),
          keyPath,
          "${" + name + "}: the environment variable " + name + " is not set",
          "set " + name + " before the start");
    }
    return Optional.ofNullable(value);
  }
}
