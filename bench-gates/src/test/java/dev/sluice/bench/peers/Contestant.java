package dev.sluice.bench.peers;

import dev.sluice.fixture.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;

/**
 * A proxy that runs beside the test. Confined to one thread.
 *
 * @param name in reports
 * @param pid of the process whose children are counted with it
 * @param ports the one for each work that it takes part in
 * @param certificate that all of them present
 */
record Contestant(String name, long pid, Map<Work, Integer> ports, TestCertificate certificate) {

  /** What all must speak for a comparison over TLS. */
  static final String TLS = "TLSv1.3 TLS_AES_256_GCM_SHA384";

  boolean isSluice() {
    return name.equals(Arena.SLUICE);
  }

  /** The protocol and cipher suite that it agrees on with a client who takes any. */
  String negotiated(Work work) {
    try (var socket =
        (SSLSocket)
            TestCertificate.clientContext(certificate)
                .getSocketFactory()
                .createSocket("127.0.0.1", port(work))) {
      var session = socket.getSession();
      return session.getProtocol() + " " + session.getCipherSuite();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " was not spoken to", e);
    }
  }

  boolean does(Work work) {
    return ports.containsKey(work);
  }

  URI target(Work work) {
    return URI.create(
        (work.secure() ? "https" : "http") + "://127.0.0.1:" + port(work) + work.path());
  }

  int port(Work work) {
    Integer port = ports.get(work);
    if (port == null) {
      throw new IllegalArgumentException(name + ": does no " + work.code());
    }
    return port;
  }

  /** What each of its processes has used of the CPU so far, as {@code /proc/<pid>/stat} tells. */
  Map<Long, Duration> cpuTimes() {
    Map<Long, Duration> times = new HashMap<>();
    ProcessHandle.of(pid)
        .ifPresent(
            process ->
                Stream.concat(Stream.of(process), process.descendants())
                    .forEach(
                        each ->
                            each.info()
                                .totalCpuDuration()
                                .ifPresent(time -> times.put(each.pid(), time))));
    return times;
  }

  /** Microseconds of CPU time since {@code before}; what a process that has ended used is lost. */
  double cpuMicrosSince(Map<Long, Duration> before) {
    double micros = 0;
    for (Map.Entry<Long, Duration> now : cpuTimes().entrySet()) {
      Duration then = before.getOrDefault(now.getKey(), Duration.ZERO);
      micros += now.getValue().minus(then).toNanos() / 1e3;
    }
    return micros;
  }
}
