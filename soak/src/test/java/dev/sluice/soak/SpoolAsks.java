package dev.sluice.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.fixture.Bodies;
import dev.sluice.soak.Ask.Kind;
import java.util.Random;

/**
 * Downloads that the origin gives at once and their readers take slowly, on a route that spools.
 * Confined to one thread.
 */
final class SpoolAsks implements Asks {

  /** Of one body at most; {@code spool.max_body} must be no less. */
  static final int BYTES_MAX = 4 << 20;

  private static final int BYTES_MIN = 1 << 20;
  private static final int STEP_MIN = 16 << 10;
  private static final int STEP_MAX = 48 << 10;

  private final Random random;

  SpoolAsks(Random random) {
    this.random = random;
  }

  @Override
  public Ask next(boolean endless) {
    return page();
  }

  @Override
  public Ask page() {
    int bytes = BYTES_MIN + random.nextInt(BYTES_MAX - BYTES_MIN + 1);
    int step = STEP_MIN + random.nextInt(STEP_MAX - STEP_MIN);
    String path = "/download/" + random.nextInt(1_000_000);
    String head = "GET " + path + "?bytes=" + bytes + " HTTP/1.1\r\nHost: soak.test\r\n\r\n";
    byte[] expected = Bodies.expected(path, bytes);
    return new Ask(Kind.SLOW_READER, head.getBytes(US_ASCII), expected, "", step);
  }
}
