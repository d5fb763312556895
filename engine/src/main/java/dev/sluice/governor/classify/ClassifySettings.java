package dev.sluice.governor.classify;

import java.util.List;

/**
 * What the classifier needs of the configuration. Immutable.
 *
 * @param routes in file order, the first match wins (DEC-01); the last one is {@code /**}, the
 *     file's or the implicit private one (DEC-02)
 * @param hosts names and {@code *.suffix} that are served; empty = any (DEC-46)
 * @param upgrades whether WebSockets are (PRX-14)
 */
public record ClassifySettings(
    Framework framework, List<Route> routes, List<String> hosts, boolean upgrades) {

  /** Without WebSockets. */
  public ClassifySettings(Framework framework, List<Route> routes, List<String> hosts) {
    this(framework, routes, hosts, false);
  }

  public ClassifySettings {
    routes = List.copyOf(routes);
    hosts = List.copyOf(hosts);
  }
}
