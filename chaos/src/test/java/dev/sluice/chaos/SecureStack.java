package dev.sluice.chaos;

import dev.sluice.chaos.MixedVisit.Speech;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.SluiceProcess;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * A Sluice that speaks one way on both its sides, an origin that does, too, and the line between
 * them. Confined to the gate's thread.
 */
final class SecureStack implements AutoCloseable {

  private static final String CONFIG =
      """
      version: 1
      server:
        listen: "127.0.0.1:{{port}}"
        %s
        read_ahead: 16KiB
        graceful: { drain_period: 0s }
      timeouts:
        client_header: 2s
        origin_connect: 2s
        origin_response: 3s
        origin_read: 3s
        origin_idle: 1s
      origin:
        upstreams: ["127.0.0.1:{{origin}}"]
        %s
        abandon_hold: 200ms
        concurrency: { max: 100 }
      telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
      """;

  private final Speech speech;
  private final SSLContext trust;
  private final SlowOrigin origin;
  private final Line back;
  private final SluiceProcess sluice;
  private final int clientsPort;
  private final Aftermath aftermath;

  private SecureStack(Speech speech, Path folder) {
    this.speech = speech;
    TestCertificate own = TestCertificate.of("localhost");
    own.writeTo(folder);
    trust = TestCertificate.clientContext(own);
    origin = start(speech, own);
    back = Line.to(origin.port());
    int tlsPort = FreePorts.next();
    try {
      sluice = ChaosStack.start(config(speech, folder, tlsPort), back.port());
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
    clientsPort = speech.isTls() ? tlsPort : sluice.port();
    aftermath = Aftermath.of(sluice);
  }

  /** The certificate's files go into the folder. */
  static SecureStack open(Speech speech, Path folder) {
    return new SecureStack(speech, folder);
  }

  private static SlowOrigin start(Speech speech, TestCertificate own) {
    SlowOriginSettings settings = SlowOriginSettings.defaults();
    return speech.isTls()
        ? SlowOrigin.startTls(settings, own, speech.isHttp2() ? "h2" : "http/1.1")
        : SlowOrigin.start(settings);
  }

  private static String config(Speech speech, Path folder, int tlsPort) {
    Path cert = folder.resolve("cert.pem");
    String server =
        "tls: { listen: \"127.0.0.1:%d\", cert: \"%s\", key: \"%s\" }"
            .formatted(tlsPort, cert, folder.resolve("key.pem"));
    String origin = "tls: { sni: localhost, ca: \"" + cert + "\" }";
    String http2 = "http_version: http2";
    return switch (speech) {
      case TLS_HTTP2 -> CONFIG.formatted(server, http2 + "\n  " + origin);
      case TLS_HTTP1 -> CONFIG.formatted(server, origin);
      case CLEAR_HTTP2 -> CONFIG.formatted("h2c: true", http2);
    };
  }

  SlowOrigin origin() {
    return origin;
  }

  SluiceProcess sluice() {
    return sluice;
  }

  /** From Sluice to the origin. */
  Line back() {
    return back;
  }

  /** Where clients that speak so are expected. */
  int clientsPort() {
    return clientsPort;
  }

  MixedVisit visit(int port, String path, String parameters) {
    return MixedVisit.to(port, speech, trust, path, parameters);
  }

  /** Whether a client that trusts any tidy end of a line takes this for whole. */
  boolean isTakenForWhole(int port, String target) {
    return MixedVisit.isTakenForWhole(port, trust, target);
  }

  Aftermath aftermath() {
    return aftermath;
  }

  @Override
  public void close() {
    sluice.close();
    origin.close();
    back.close();
  }
}
