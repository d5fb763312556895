package dev.sluice.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A short name for the values of a file. It is taken before {@code auto} meets the machine, so
 * equal files have equal fingerprints on every instance. Stateless.
 */
final class Fingerprint {

  private static final int DIGITS = 16;

  private Fingerprint() {}

  static String of(Values values) {
    MessageDigest digest = sha256();
    values.all().stream()
        .sorted(Comparator.comparing(Value::keyPath))
        .forEach(
            value ->
                digest.update(
                    (value.keyPath() + "=" + marked(value.value()) + "\n")
                        .getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
  }

  /** A length before each text, so that no text passes for two, or for the next key. */
  private static String marked(Object value) {
    if (value instanceof List<?> items) {
      return items.size() + items.stream().map(Fingerprint::marked).collect(Collectors.joining());
    }
    String text = value.toString();
    return " " + text.length() + ":" + text;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
