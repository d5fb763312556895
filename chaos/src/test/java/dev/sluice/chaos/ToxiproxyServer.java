package dev.sluice.chaos;

import dev.sluice.chaos.toxiproxy.EmbeddedToxiproxy;
import dev.sluice.fixture.launch.FreePorts;
import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * The server that stands behind Toxiproxy's API: the one that {@code TOXIPROXY_URL} names, else one
 * in Docker, else the embedded one. It shares this machine's network: proxies listen on 127.0.0.1
 * and reach what listens there. Thread-safe.
 */
final class ToxiproxyServer {

  private static final String IMAGE = "ghcr.io/shopify/toxiproxy:2.12.0";
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static @Nullable ToxiproxyServer shared;

  /** Where it comes from. */
  enum Kind {
    EXTERNAL,
    DOCKER,
    EMBEDDED
  }

  private final Kind kind;
  private final URI url;

  private ToxiproxyServer(Kind kind, URI url) {
    this.kind = kind;
    this.url = url;
  }

  /** The one of this JVM; it ends with it. */
  static synchronized ToxiproxyServer shared() {
    if (shared == null) {
      shared = choose();
      System.out.println("toxiproxy: " + shared.kind + " at " + shared.url);
    }
    return shared;
  }

  private static ToxiproxyServer choose() {
    String external = System.getenv().getOrDefault("TOXIPROXY_URL", "");
    if (!external.isEmpty()) {
      return new ToxiproxyServer(Kind.EXTERNAL, URI.create(external));
    }
    return DockerClientFactory.instance().isDockerAvailable()
        ? elseEmbedded(ToxiproxyServer::inDocker)
        : embedded();
  }

  /** Docker that answers need not have the image, nor get it. */
  static ToxiproxyServer elseEmbedded(Supplier<ToxiproxyServer> inDocker) {
    try {
      return inDocker.get();
    } catch (RuntimeException failed) {
      System.out.println(
          "toxiproxy: not in Docker, " + failed.toString().lines().findFirst().orElse(""));
      return embedded();
    }
  }

  private static ToxiproxyServer embedded() {
    return new ToxiproxyServer(Kind.EMBEDDED, URI.create(EmbeddedToxiproxy.start().url()));
  }

  /** On the host's own network, so that any port can be a proxy's; the reaper removes it. */
  @SuppressWarnings("resource") // It lives as long as this JVM.
  private static ToxiproxyServer inDocker() {
    int port = FreePorts.next();
    new GenericContainer<>(IMAGE)
        .withNetworkMode("host")
        .withCommand("-host=127.0.0.1", "-port=" + port)
        .waitingFor(Wait.forLogMessage(".*Starting.*", 1))
        .start();
    return new ToxiproxyServer(Kind.DOCKER, URI.create("http://127.0.0.1:" + port));
  }

  Kind kind() {
    return kind;
  }

  URI url() {
    return url;
  }

  ToxiproxyClient client() {
    return new ToxiproxyClient(url.getHost(), url.getPort());
  }

  /** A proxy with a name of its own, on a free port, to a port of 127.0.0.1. */
  Proxy proxyTo(int port) {
    try {
      return client().createProxy(freshName(), "127.0.0.1:0", "127.0.0.1:" + port);
    } catch (IOException e) {
      throw new UncheckedIOException("no proxy to port " + port, e);
    }
  }

  /** A name that nobody else uses on this server. */
  static String freshName() {
    return "sluice-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
  }

  /** The port of an address as the API writes it. */
  static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
