package dev.sluice.scenarios;

import java.util.ArrayList;
import java.util.List;

/**
 * What a browser's router asks once it shows {@code /window}: for each link in view the tree of
 * segments, and then the page's segment where it was prerendered, the page's head where it is
 * rendered per request, or all of it where the link says so. Stateless.
 */
final class PageView {

  static final String PATH = "/window";

  /** To product 2, whose branch is the one to fetch. */
  private static final String PRODUCT_TREE =
      "%5B%22%22%2C%7B%22children%22%3A%5B%22products%22%2C%7B%22children%22%3A%5B%5B%22id%22%2C"
          + "%222%22%2C%22d%22%2Cnull%5D%2C%7B%22children%22%3A%5B%22__PAGE__%22%2C%7B%7D%5D%7D%5D"
          + "%7D%2Cnull%2C%22refetch%22%5D%7D%2Cnull%2Cnull%2C16%5D";

  private PageView() {}

  /** Nine of the twelve have explicit freshness, or are no prefetch to the origin. */
  static List<RouterRequest> requests() {
    List<RouterRequest> requests = new ArrayList<>();
    for (String path : List.of("/about", "/delivery", "/guide/care", "/news")) {
      requests.add(RouterRequest.segment(path, "/_tree", PATH));
      requests.add(RouterRequest.segment(path, pageOf(path), PATH));
    }
    requests.add(RouterRequest.segment("/products/1", "/_tree", PATH));
    requests.add(RouterRequest.metadata("/products/1", PATH));
    requests.add(RouterRequest.segment("/products/2", "/_tree", PATH));
    requests.add(RouterRequest.navigation("/products/2", PRODUCT_TREE, PATH));
    return requests;
  }

  private static String pageOf(String path) {
    return path.replace("/guide/care", "/guide/$d$topic") + "/__PAGE__";
  }
}
