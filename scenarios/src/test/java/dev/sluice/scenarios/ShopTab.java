package dev.sluice.scenarios;

import dev.sluice.fixture.browser.Browser;
import dev.sluice.fixture.browser.Exchange;
import dev.sluice.fixture.browser.Tab;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** A visitor of the storefront in a browser, with cookies of its own. Confined to one thread. */
final class ShopTab {

  private static final int WIDTH = 1280;
  private static final int HEIGHT = 800;

  /** React has taken over the element: before that a form is sent as a browser alone would. */
  private static final String TAKEN_OVER =
      "Object.keys(document.querySelector('%s')).some(key => key.startsWith('__reactProps'))";

  private static final String HEADING = "document.querySelector('h1').textContent";

  private final Tab tab;
  private final URI base;

  private ShopTab(Tab tab, URI base) {
    this.tab = tab;
    this.base = base;
  }

  static ShopTab of(Browser browser, URI base) throws IOException {
    return new ShopTab(browser.tab(WIDTH, HEIGHT, false), base);
  }

  /** Opens the page and waits until its router has prefetched so much. */
  void openAndPrefetch(String path, int prefetches) throws IOException {
    tab.open(base.resolve(path));
    tab.await(
        prefetches + " answers to the router of " + path,
        () -> router().stream().filter(Exchange::over).count() >= prefetches);
  }

  void open(String path) throws IOException {
    tab.open(base.resolve(path));
  }

  /** Follows a link as the router does; returns the heading once it is another page's. */
  String follow(String path) throws IOException {
    String link = "a[href=\"" + path + "\"]";
    tab.await("link that React has taken over", () -> isTrue(TAKEN_OVER.formatted(link)));
    String before = tab.evaluate(HEADING).asText();
    tab.evaluate("document.querySelector('" + link + "').click()");
    tab.await(
        "another heading at " + path,
        () ->
            isTrue("location.pathname === '" + path + "' && document.querySelector('h1') !== null")
                && !tab.evaluate(HEADING).asText().equals(before));
    return tab.evaluate(HEADING).asText();
  }

  /** Where the links of the page lead. */
  List<String> links() throws IOException {
    return texts("[...document.querySelectorAll('a')].map(e => e.getAttribute('href'))");
  }

  /** The session that the page shows. */
  String session() throws IOException {
    return tab.evaluate("document.getElementById('session').textContent").asText();
  }

  /** Puts a product into the basket by the form's button; returns when the page shows it. */
  void addToBasket(String product) throws IOException {
    tab.await("form that React has taken over", () -> isTrue(TAKEN_OVER.formatted("form")));
    int before = basket().size();
    tab.evaluate("document.querySelector('input[name=product]').value = '" + product + "'");
    tab.evaluate("document.querySelector('form button').click()");
    tab.await("product in the basket", () -> basket().size() > before);
  }

  /** The numbers of the products that the page shows. */
  List<String> basket() throws IOException {
    return texts(
        "[...document.querySelectorAll('ol li')].map(e => e.textContent.split(' ').pop())");
  }

  /** What the router asked for since the page was opened. */
  List<Exchange> router() {
    return tab.exchanges().stream().filter(one -> !one.asked("rsc").isEmpty()).toList();
  }

  /** Server Actions that the page has sent. */
  List<Exchange> actions() {
    return tab.exchanges().stream().filter(one -> !one.asked("next-action").isEmpty()).toList();
  }

  /** Whole pages that were loaded since it was opened, it among them. */
  long documents() {
    return tab.exchanges().stream().filter(one -> one.type().equals("Document")).count();
  }

  /** What the browser complained of, but for the icon that it looks for by itself. */
  List<String> complaints() {
    return tab.complaints().stream().filter(said -> !said.endsWith("/favicon.ico")).toList();
  }

  private List<String> texts(String expression) throws IOException {
    List<String> texts = new ArrayList<>();
    tab.evaluate(expression).forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private boolean isTrue(String expression) throws IOException {
    return tab.evaluate(expression).asBoolean();
  }
}
