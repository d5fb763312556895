package dev.sluice.bench;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.reports.Gate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates are replaced while the listener is in use: PRX-07, DEC-19. */
class CertificateGate {

  private static final int RELOADS = 5;
  private static final int CLIENTS = 4;

  /** Requests that are served before the next certificate comes. */
  private static final int EACH = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;

  @Test
  void certificate_isReplacedUnderLoad_andNoRequestFails() {
    Gate.claim(
            "certificate-reload",
            "A certificate is replaced under load, and no request fails.",
            RepoRoot.path())
        .given("reloads", RELOADS)
        .given("clients", CLIENTS + ", half of them with a connection for each request")
        .judge(
            gate -> {
              List<TestCertificate> certificates = new ArrayList<>();
              for (int i = 0; i <= RELOADS; i++) {
                certificates.add(TestCertificate.of("localhost"));
              }
              certificates.get(0).writeTo(folder);
              int tlsPort = FreePorts.next();
              try (var origin = SlowOriginProcess.start("--loops", "1");
                  var sluice = SluiceProcess.start(SluiceProcess.jar(), file(origin, tlsPort));
                  var load = new Load(tlsPort, certificates)) {
                load.isServedUnder(certificates.get(0));
                for (int i = 1; i < RELOADS; i++) {
                  TestCertificate next = certificates.get(i);
                  next.writeTo(folder);
                  sluice.process().signal("HUP");
                  load.isServedUnder(next);
                }
                // A key of another certificate: what is in force stays, and the operator is told.
                Files.writeString(folder.resolve("key.pem"), certificates.get(0).keyPem());
                sluice.process().signal("HUP");
                load.await("the refusal", () -> sluice.status().contains("does not belong"));
                gate.control("refused_with_a_wrong_key", true, equalTo(true));

                TestCertificate last = certificates.get(RELOADS);
                last.writeTo(folder);
                sluice.process().signal("HUP");
                load.isServedUnder(last);
                load.stop();

                gate.control("certificates_seen", load.seen(), exactly(RELOADS + 1));
                gate.measured("requests", load.served(), atLeast((RELOADS + 1) * EACH));
                gate.measured("failed", load.failed(), exactly(0));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
  }

  private String file(SlowOriginProcess origin, int tlsPort) {
    return """
        version: 1
        server:
          listen: "127.0.0.1:{{port}}"
          graceful: { drain_period: 0s }
          tls: { listen: "127.0.0.1:%d", cert: "%s", key: "%s" }
        origin: { upstreams: ["127.0.0.1:%d"] }
        telemetry: { admin: { listen: "127.0.0.1:{{admin}}" }, logging: { access: none } }
        """
        .formatted(tlsPort, folder.resolve("cert.pem"), folder.resolve("key.pem"), origin.port());
  }

  /** Clients that ask without a pause, and what they saw. Thread-safe. */
  private static final class Load implements AutoCloseable {

    private final int port;
    private final SSLContext trusting;
    private final Set<Certificate> seen = ConcurrentHashMap.newKeySet();
    private final AtomicLong served = new AtomicLong();
    private final AtomicInteger failed = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Load(int port, List<TestCertificate> certificates) {
      this.port = port;
      this.trusting = TestCertificate.clientContext(certificates.toArray(TestCertificate[]::new));
      for (int i = 0; i < CLIENTS; i++) {
        int requestsEach = i % 2 == 0 ? 1 : 200;
        threads.add(Stack.start("client-" + i, () -> run(requestsEach)));
      }
    }

    /** Returns when new connections get {@code certificate} and enough was served since. */
    void isServedUnder(TestCertificate certificate) {
      long before = served.get();
      await("its certificate", () -> seen.contains(certificate.certificate()));
      await("requests under it", () -> served.get() - before >= EACH);
    }

    int seen() {
      return seen.size();
    }

    long served() {
      return served.get();
    }

    int failed() {
      return failed.get();
    }

    void await(String what, BooleanSupplier condition) {
      Deadline deadline = Deadline.in(PATIENCE);
      while (!condition.getAsBoolean()) {
        deadline.check(what);
        LockSupport.parkNanos(10_000_000);
      }
    }

    void stop() {
      over = true;
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted while clients end", e);
        }
      }
    }

    @Override
    public void close() {
      over = true;
    }

    private void count(boolean whole) {
      if (whole) {
        served.incrementAndGet();
      } else {
        failed.incrementAndGet();
      }
    }

    private void run(int requestsEach) {
      while (!over) {
        try (Socket tcp = new Socket(InetAddress.getLoopbackAddress(), port);
            var tls =
                (SSLSocket)
                    trusting.getSocketFactory().createSocket(tcp, "localhost", port, true)) {
          tls.startHandshake();
          seen.add(tls.getSession().getPeerCertificates()[0]);
          RawClient client = RawClient.over(tls);
          for (int i = 0; i < requestsEach && !over; i++) {
            count(client.get("/page?bytes=2000").readAll().body().length == 2000);
          }
        } catch (IOException | RuntimeException | AssertionError e) {
          failed.incrementAndGet();
        }
      }
    }
  }
}
