package dev.sluice.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.fixture.Bodies;
import dev.sluice.soak.Ask.Kind;
import java.util.Arrays;
import java.util.Random;

/**
 * A crawl of one shop by popularity: page n is asked for in proportion to n to the power of -0.9
 * (Zipf), and everything about a page follows from n, so that its stored answer serves whoever asks
 * for it. Confined to one thread.
 */
final class StoreAsks implements Asks {

  static final int PAGES = 6_000;

  /** Each page has one of so many tags. */
  static final int TAGS = 60;

  private static final double EXPONENT = 0.9;
  private static final double[] CUMULATIVE = cumulative();

  private static final int RENDER_MILLIS = 10;
  private static final int SMALL_BYTES = 40_000;
  private static final int LARGE_BYTES = 150_000;

  private final Random random;

  StoreAsks(Random random) {
    this.random = random;
  }

  @Override
  public Ask next(boolean endless) {
    int page = pick();
    return page % 16 == 5 ? large(page) : page(page);
  }

  @Override
  public Ask page() {
    return page(pick());
  }

  /** Rank of a page, popular ones more often. */
  private int pick() {
    int found = Arrays.binarySearch(CUMULATIVE, random.nextDouble());
    return Math.min(PAGES - 1, found < 0 ? -found - 1 : found);
  }

  static String path(int page) {
    return "/page/" + page;
  }

  static String tag(int page) {
    return "t" + page % TAGS;
  }

  /** Every third can be confirmed by the origin, every fourth comes in parts. */
  static Ask page(int page) {
    boolean inParts = page % 4 == 1;
    String query =
        (page % 3 == 0 ? "&etag=v" + page : "")
            + (inParts ? "&framing=chunked&chunks=4&every=4" : "");
    int bytes = 500 + page * 7919 % SMALL_BYTES;
    return ask(inParts ? Kind.CHUNKED : Kind.PAGE, page, path(page), bytes, query, 0);
  }

  /** Of a page that a slow reader holds for a while. */
  static Ask large(int page) {
    int bytes = LARGE_BYTES + page * 7919 % (2 * LARGE_BYTES);
    int step = 8_192 + page % 3 * 8_192;
    return ask(Kind.SLOW_READER, page, "/large/" + page, bytes, "", step);
  }

  private static Ask ask(Kind kind, int page, String path, int bytes, String more, int step) {
    String target =
        path
            + "?bytes="
            + bytes
            + "&ms="
            + page % RENDER_MILLIS
            + "&h=x-sluice-cache-tags:"
            + tag(page)
            + more;
    byte[] request = ("GET " + target + " HTTP/1.1\r\nHost: soak.test\r\n\r\n").getBytes(US_ASCII);
    return new Ask(kind, request, Bodies.expected(path, bytes), "", step);
  }

  private static double[] cumulative() {
    double[] sums = new double[PAGES];
    double sum = 0;
    for (int i = 0; i < PAGES; i++) {
      sum += Math.pow(i + 1, -EXPONENT);
      sums[i] = sum;
    }
    for (int i = 0; i < PAGES; i++) {
      sums[i] /= sum;
    }
    return sums;
  }
}
