package dev.sluice.chaos.toxiproxy;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All proxies by name. Confined to the API's thread. */
final class Proxies {

  private final EventLoopGroup loops;
  private final Map<String, Proxy> byName = new LinkedHashMap<>();

  Proxies(EventLoopGroup loops) {
    this.loops = loops;
  }

  Collection<Proxy> all() {
    return List.copyOf(byName.values());
  }

  /**
   * The proxy of that name.
   *
   * @throws ApiFailure if there is none
   */
  Proxy get(String name) {
    Proxy proxy = byName.get(name);
    if (proxy == null) {
      throw ApiFailure.notFound("proxy");
    }
    return proxy;
  }

  Proxy create(JsonNode body) {
    Proxy made = made(body, "");
    if (byName.containsKey(made.name())) {
      throw ApiFailure.alreadyExists("proxy");
    }
    add(made, body);
    return made;
  }

  /** Has all of these; one that stands between the same addresses stays as it is. */
  List<Proxy> populate(JsonNode list) {
    for (int i = 0; i < list.size(); i++) {
      made(list.get(i), " at proxy " + (i + 1));
    }
    List<Proxy> proxies = new ArrayList<>();
    for (JsonNode body : list) {
      proxies.add(addOrReplace(body));
    }
    return proxies;
  }

  private Proxy addOrReplace(JsonNode body) {
    Proxy made = made(body, "");
    Proxy before = byName.get(made.name());
    if (before != null) {
      if (before.isBetween(
          JsonBody.text(body, "listen", ""), JsonBody.text(body, "upstream", ""))) {
        return before;
      }
      before.stop();
    }
    add(made, body);
    return made;
  }

  private void add(Proxy made, JsonNode body) {
    if (JsonBody.flag(body, "enabled", true)) {
      made.start();
    }
    byName.put(made.name(), made);
  }

  void delete(String name) {
    get(name).stop();
    byName.remove(name);
  }

  private Proxy made(JsonNode body, String where) {
    String name = required(body, "name", where);
    String upstream = required(body, "upstream", where);
    return new Proxy(name, JsonBody.text(body, "listen", ""), upstream, loops);
  }

  private static String required(JsonNode body, String field, String where) {
    String value = JsonBody.text(body, field, "");
    if (value.isEmpty()) {
      throw ApiFailure.missingField(field + where);
    }
    return value;
  }
}
