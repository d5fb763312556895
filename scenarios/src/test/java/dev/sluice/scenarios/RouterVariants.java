package dev.sluice.scenarios;

import java.util.ArrayList;
import java.util.List;

/** The many ways to ask for one prerendered page's payload. Stateless. */
final class RouterVariants {

  /** Pages from which the router asks; empty = not said. */
  static final List<String> PAGES = List.of("", "/", "/window", "/catalog", "/products/1");

  private static final List<String> TREES =
      List.of("", "%5B%22%22%2C%7B%22children%22%3A%5B%22about%22%2C%7B%7D%5D%7D%5D");

  private RouterVariants() {}

  /** Each with the digest that fits it, so that no two targets are alike. */
  static List<String> requests(String path) {
    List<String> requests = new ArrayList<>();
    for (String page : PAGES) {
      for (String tree : TREES) {
        requests.add(RouterRequest.navigation(path, tree, page).text());
      }
    }
    requests.add(RouterRequest.navigation(path + "?utm_source=mail", "", "/").text());
    return requests;
  }

  static String wrongDigest(String path) {
    return RouterRequest.navigation(path, "", "/").text().replaceFirst("_rsc=....", "_rsc=----");
  }
}
