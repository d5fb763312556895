package dev.sluice.governor.reuse;

import static dev.sluice.governor.reuse.Asking.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import dev.sluice.http.RequestHead;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a key costs: the bytes that it is, and the objects around them. */
class KeyCostTest {

  private static final int TIMES = 20_000;

  /** Of the byte array's header, the key, what is selected, and rounding. */
  private static final int OBJECTS = 16 + 24 + 32 + 16;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Asking shop =
      Asking.shop(
          RouteClass.PUBLIC_SSR,
          Asking.policy(
              QueryMode.EXCLUDE,
              List.of("utm_source"),
              List.of("accept-language", "x-country"),
              List.of(),
              false,
              false),
          new CookiePolicy(false, List.of("_ga*", "consent")),
          Framework.NEXTJS);

  @Test
  void pageOfABrowser_costsItsKey() {
    assertCostsItsKey(
        get(
            "/products/7?b=2&utm_source=x&a=1",
            "Accept-Encoding",
            "gzip, deflate, br, zstd",
            "User-Agent",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0",
            "Cookie",
            "_ga=GA1.2.3; _ga_7=x; consent=yes",
            "Accept-Language",
            "de,en;q=0.7",
            "X-Country",
            "de"));
  }

  @Test
  void payload_costsItsKey() {
    assertCostsItsKey(
        get(
            "/p?_rsc=5CB68i4pnAekjehf",
            "rsc",
            "1",
            "next-router-prefetch",
            "1",
            "next-router-segment-prefetch",
            "/_tree",
            "next-url",
            "/",
            "Accept-Encoding",
            "gzip"));
  }

  @Test
  void learnedFields_costNoMore() {
    shop.memory.learn(shop.keyed("/"), List.of("x-learned", "accept"));

    assertCostsItsKey(get("/p", "Accept", "text/html", "X-Learned", "1"));
  }

  private void assertCostsItsKey(RequestHead head) {
    Asking.Asked asked = shop.classified(head);
    int key = asked.keyed().key().length();
    for (int i = 0; i < TIMES; i++) {
      asked.keyed();
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < TIMES; i++) {
      asked.keyed();
    }
    long each = (threads.getCurrentThreadAllocatedBytes() - before) / TIMES;
    assertThat(each).as("bytes for a key of " + key).isBetween((long) key, (long) key + OBJECTS);
  }
}
