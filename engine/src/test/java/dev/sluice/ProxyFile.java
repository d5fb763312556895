package dev.sluice;

import dev.sluice.net.NetSettings.TransportChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The configuration file of a proxy under test, block by block. Immutable. */
record ProxyFile(
    int port,
    int loops,
    List<String> server,
    List<String> origin,
    List<String> blocks,
    String access) {

  ProxyFile {
    server = List.copyOf(server);
    origin = List.copyOf(origin);
    blocks = List.copyOf(blocks);
  }

  /** One event loop, any port, no access log. */
  static ProxyFile plain() {
    return new ProxyFile(0, 1, List.of(), List.of(), List.of(), "none");
  }

  /** With this key of {@code server}. */
  ProxyFile server(String line) {
    return new ProxyFile(port, loops, with(server, line), origin, blocks, access);
  }

  /** On this kind of sockets. */
  ProxyFile transport(TransportChoice choice) {
    return server("transport: " + choice.name().toLowerCase(Locale.ROOT));
  }

  /** On this port. */
  ProxyFile listen(int port) {
    return new ProxyFile(port, loops, server, origin, blocks, access);
  }

  /** On so many event loops. */
  ProxyFile loops(int count) {
    return new ProxyFile(port, count, server, origin, blocks, access);
  }

  /** With this key of {@code origin}. */
  ProxyFile origin(String line) {
    return new ProxyFile(port, loops, server, with(origin, line), blocks, access);
  }

  /** With this block of its own. */
  ProxyFile block(String line) {
    return new ProxyFile(port, loops, server, origin, with(blocks, line), access);
  }

  /** With its access log there. */
  ProxyFile accessLog(String file) {
    return new ProxyFile(port, loops, server, origin, blocks, file);
  }

  /** The file's text, for an origin at {@code originPort}. */
  String text(int originPort) {
    return text("127.0.0.1:" + originPort);
  }

  /** The same for several upstreams, each {@code host:port}. */
  String text(String... upstreams) {
    return """
        version: 1
        server:
          listen: "127.0.0.1:%d"
          event_loops: %d
          graceful: { drain_period: 0s }
        %sorigin:
          upstreams: ["%s"]
        %stelemetry: { admin: { listen: "127.0.0.1:0" }, logging: { access: "%s" } }
        %s"""
        .formatted(
            port,
            loops,
            indented(server),
            String.join("\", \"", upstreams),
            indented(origin),
            access,
            joined(blocks));
  }

  private static List<String> with(List<String> lines, String line) {
    var longer = new ArrayList<>(lines);
    longer.add(line);
    return longer;
  }

  private static String indented(List<String> lines) {
    return joined(lines.stream().map(line -> "  " + line).toList());
  }

  private static String joined(List<String> lines) {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }
}
