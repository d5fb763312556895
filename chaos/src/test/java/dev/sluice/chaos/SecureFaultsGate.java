package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Await;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults on connections with TLS and HTTP/2 on both sides, in the handshake and in streams. */
class SecureFaultsGate {

  private static final String STREAMED = "&chunks=6&every=30";

  /** Less than a handshake has, and more than its first flight. */
  private static final int HANDSHAKE_LIMIT = 600;

  private static final String CONFIG =
      """
      version: 1
      server:
        listen: "127.0.0.1:{{port}}"
        tls: { listen: "127.0.0.1:%d", cert: "%s", key: "%s" }
        graceful: { drain_period: 0s }
      timeouts: { client_header: 2s, origin_connect: 2s, origin_response: 3s, origin_read: 3s, origin_idle: 1s }
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        http_version: http2
        tls: { sni: localhost, ca: "%s" }
        abandon_hold: 200ms
        concurrency: { max: 20 }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  @TempDir Path folder;

  @Test
  void faultsUnderTls_noStreamIsLiedTo() {
    ChaosStack.claim(
            "secure",
            "Whatever befalls a connection with TLS and HTTP/2 on either side, no stream takes it"
                + " for whole.")
        .given("streams_of_a_connection", 2)
        .given("page_bytes", SecureVisit.PAGE)
        .judge(
            gate -> {
              TestCertificate own = TestCertificate.of("localhost");
              own.writeTo(folder);
              try (var origin =
                      SlowOrigin.startTls(SlowOriginSettings.defaults(), own, "h2", "http/1.1");
                  var bare = Line.to(origin.port());
                  var back = Line.to(origin.port())) {
                int tlsPort = FreePorts.next();
                try (var sluice = ChaosStack.start(config(tlsPort), back.port());
                    var front = Line.to(tlsPort)) {
                  SSLContext trust = TestCertificate.clientContext(own);
                  new Trials(gate, trust, bare, back, front, tlsPort).run(sluice);
                }
              }
            });
  }

  private String config(int tlsPort) {
    Path cert = folder.resolve("cert.pem");
    if (!Files.exists(cert)) {
      throw new IllegalStateException(cert + ": not written");
    }
    return CONFIG.formatted(tlsPort, cert, folder.resolve("key.pem"), cert);
  }

  /** Confined to the gate's thread. */
  private record Trials(
      Gate gate, SSLContext trust, Line bare, Line back, Line front, int tlsPort) {

    void run(SluiceProcess sluice) {
      var aftermath = Aftermath.of(sluice);
      for (ToxicDirection way : ToxicDirection.values()) {
        for (Fault fault : Fault.values()) {
          if (fault != Fault.SLOW_CLOSE && isStruck(fault, way)) {
            trial(fault + "_" + way, line -> fault.strike(line.toxics(), way), fault.isHarmless());
          }
        }
        trial(
            "TINY_SLICES_" + way,
            line -> line.toxics().slicer("tiny", way, 5, 50).setSizeVariation(4),
            true);
        trial(
            "CUT_HANDSHAKE_" + way,
            line ->
                line.toxics()
                    .limitData("cut", way, way == ToxicDirection.UPSTREAM ? 100 : HANDSHAKE_LIMIT),
            false);
      }
      aftermath.judge(gate);
    }

    /** A request has not as many bytes as a limit lets through. */
    private static boolean isStruck(Fault fault, ToxicDirection way) {
      return way == ToxicDirection.DOWNSTREAM
          || (fault != Fault.LIMIT_DATA && fault != Fault.BANDWIDTH && fault != Fault.SLICER);
    }

    private void trial(String words, Line.Change strike, boolean harmless) {
      String name = words.toLowerCase(Locale.ROOT);
      bare.strike(strike);
      SecureVisit control = visit(bare.port(), "/bare/" + name);
      bare.heal();
      if (harmless) {
        gate.control(name + "_bare_millis", control.tookMillis(), atLeast(150));
      } else {
        gate.control(name + "_bare_whole", whole(control, "/bare/" + name), exactly(0));
      }
      struck(name + "_client", strike, harmless, front, front.port());
      struck(name + "_origin", strike, harmless, back, tlsPort);
    }

    private void struck(String name, Line.Change strike, boolean harmless, Line line, int port) {
      String path = "/page/" + name;
      line.strike(strike);
      SecureVisit seen = visit(port, path);
      line.heal();
      List<Sight> sights = seen.sights(path);
      gate.measured(name + "_seen", sights);
      gate.measured(name + "_whole", whole(seen, path), exactly(harmless ? 1 : 0));
      long lies =
          sights.stream().filter(sight -> sight == Sight.WRONG || sight == Sight.HUNG).count();
      gate.measured(name + "_lies", lies, exactly(0));
      long began = System.nanoTime();
      Await.until(
          "whole pages",
          ChaosStack.PATIENCE,
          () -> visit(tlsPort, "/after/" + name).isWhole("/after/" + name));
      gate.measured(
          name + "_recovery_millis", (System.nanoTime() - began) / 1_000_000, atMost(3_000));
    }

    private SecureVisit visit(int port, String path) {
      return SecureVisit.to(port, trust, path, STREAMED);
    }

    private static int whole(SecureVisit seen, String path) {
      return seen.isWhole(path) ? 1 : 0;
    }
  }
}
