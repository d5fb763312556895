package dev.sluice.governor.classify;

import static dev.sluice.governor.classify.Requests.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {

  private final RouteTable table =
      new RouteTable(
          List.of(
              route("cheap", "/products/cheap"),
              route("products", "/products/**"),
              route("hidden", "/products/hidden"),
              route("search", "/search"),
              route("home", "/"),
              route("cafe", "/café/**"),
              route("rest", "/**")));

  @ParameterizedTest(name = "{2}: {0} -> {1}")
  @CsvSource({
    "/products/a/b,      products, RTE-04",
    "/products,          products, RTE-04",
    "/products/,         products, RTE-04",
    "/product,           rest,     RTE-04",
    "/products-old,      rest,     RTE-04",
    "/search,            search,   RTE-05",
    "/search/x,          rest,     RTE-05",
    "/search/,           rest,     RTE-05",
    "/Search,            rest,     RTE-05",
    "/,                  home,     RTE-05",
    "/unknown,           rest,     RTE-06",
    "/products/cheap,    cheap,    DEC-01",
    "/products/hidden,   products, DEC-01",
    "/café/au-lait,      cafe,     RTE-04",
  })
  void find_path_isTheFirstMatchOfTheFile(String path, String id, String row) {
    assertThat(table.find(path).id()).as(row).isEqualTo(id);
  }

  @Test
  void find_withoutCatchAll_isImplicit() {
    assertThat(new RouteTable(List.of()).find("/x")).isSameAs(Route.IMPLICIT);
    assertThat(new RouteTable(List.of(route("a", "/a"))).find("/b")).isSameAs(Route.IMPLICIT);
  }

  @Test
  void find_catchAllFirst_hidesTheRest() {
    var hiding = new RouteTable(List.of(route("all", "/**"), route("a", "/a")));
    assertThat(hiding.find("/a").id()).isEqualTo("all");
  }

  @Test
  void find_hundredsOfRoutes_agreesWithAPlainScan() {
    var routes = new ArrayList<Route>();
    for (int i = 0; i < 300; i++) {
      routes.add(route("r" + i, "/" + (char) ('a' + i % 26) + i + (i % 2 == 0 ? "/**" : "")));
    }
    var many = new RouteTable(routes);
    for (Route route : routes) {
      String path = route.match().replace("/**", "/x");
      assertThat(many.find(path)).isSameAs(route);
    }
  }
}
