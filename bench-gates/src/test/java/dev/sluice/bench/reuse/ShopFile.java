package dev.sluice.bench.reuse;

/**
 * The configuration of a Sluice before a slow origin. Immutable.
 *
 * @param server more keys of {@code server}, or empty
 * @param origin more keys of {@code origin}
 * @param blocks whole blocks of the top level
 */
record ShopFile(String server, String origin, String blocks) {

  private static final String WIDE = "concurrency: { max: 100 }";

  /** With these blocks of the top level, one after the other. */
  static ShopFile of(String... blocks) {
    return new ShopFile("", WIDE, String.join("\n", blocks));
  }

  /** One route of a public page in {@code routes}' list, with more keys of its own. */
  static String publicRoute(String id, String... keys) {
    String more = keys.length == 0 ? "" : ", " + String.join(", ", keys);
    return "  - { id: %s, match: \"/%s/**\", class: public_ssr%s }".formatted(id, id, more);
  }

  ShopFile server(String keys) {
    return new ShopFile(", " + keys, origin, blocks);
  }

  ShopFile origin(String keys) {
    return new ShopFile(server, keys, blocks);
  }

  String text(int originPort) {
    return """
        version: 1
        server: { listen: "127.0.0.1:{{port}}", debug_headers: true,
          graceful: { drain_period: 0s }%s }
        origin: { upstreams: ["127.0.0.1:%d"], %s }
        %s
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(server, originPort, origin, blocks);
  }
}
