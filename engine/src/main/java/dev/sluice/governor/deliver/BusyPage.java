package dev.sluice.governor.deliver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The page for somebody who waits: it loads itself again, as a new request that holds no place
 * (ADM-15). Rendered once for each number of seconds, since sheds come in floods. Immutable.
 */
public final class BusyPage {

  /** Stands in a page where the seconds until the next try belong. */
  static final String REFRESH = "{{refresh}}";

  private static final String BUILT_IN = "busy-page.html";

  private final byte[][] renderings = new byte[RetrySeconds.MAX + 1][];
  private final boolean builtIn;

  private BusyPage(String html, boolean builtIn) {
    this.builtIn = builtIn;
    byte[] fixed = html.contains(REFRESH) ? null : html.getBytes(StandardCharsets.UTF_8);
    for (int seconds = 0; seconds < renderings.length; seconds++) {
      renderings[seconds] =
          fixed != null
              ? fixed
              : html.replace(REFRESH, Integer.toString(seconds)).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** The page that comes with Sluice: one document, no request for anything else. */
  public static BusyPage builtIn() {
    try (InputStream in = BusyPage.class.getResourceAsStream(BUILT_IN)) {
      if (in == null) {
        throw new IllegalStateException("missing on the class path: " + BUILT_IN);
      }
      return new BusyPage(new String(in.readAllBytes(), StandardCharsets.UTF_8), true);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * The operator's page, whole; {@code {{refresh}}} in it becomes the seconds until the next try,
   * which the Refresh field brings about in any case.
   */
  public static BusyPage of(String html) {
    return new BusyPage(html, false);
  }

  /** The page that comes back in {@code seconds}, 1 to 30; not to be written to. */
  byte[] rendering(int seconds) {
    return renderings[seconds];
  }

  /** Whether we know what the page needs, so that a policy can forbid everything else. */
  boolean isBuiltIn() {
    return builtIn;
  }
}
