package dev.sluice.bench.peers;

import static java.util.stream.Collectors.toMap;

import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.TestCertificate;
import dev.sluice.fixture.launch.FreePorts;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import dev.sluice.fixture.launch.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One origin and all contestants before it, each in processes of its own. Confined to one thread.
 */
final class Arena implements AutoCloseable {

  static final String SLUICE = "sluice";
  static final String NGINX = "nginx";
  static final String VARNISH = "varnish";
  static final String HAPROXY = "haproxy";

  static final int BODY_BYTES = 16 << 10;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Those of the launcher that cost or save time on a request. */
  private static final String[] SLUICE_FLAGS = {
    "-XX:+UseSerialGC",
    "-Xms16m",
    "-Xmx256m",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.jfr.enabled=false"
  };

  private final Path folder = worldReadableFolder();
  private final TestCertificate certificate = TestCertificate.of("localhost");
  private final int originPort = FreePorts.next();
  private final Deque<Runnable> endings = new ArrayDeque<>();
  private final List<Contestant> contestants = new ArrayList<>();
  private final Map<String, String> absent = new LinkedHashMap<>();

  /** Starts the origin, NGINX and Sluice, and those of the others that are installed. */
  Arena(Path nginx) {
    try {
      prepare();
      start(nginx, "origin", PeerFiles.origin(folder, originPort), originPort);
      sluice();
      nginx(nginx);
      find(VARNISH, "varnishd").ifPresent(this::varnish);
      find(HAPROXY, HAPROXY).ifPresent(this::haproxy);
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  /** NGINX's workers run as somebody else. */
  private static Path worldReadableFolder() {
    try {
      Path made = Files.createTempDirectory("side-by-side-");
      return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void prepare() throws IOException {
    Path www = Files.createDirectory(folder.resolve("www"));
    Files.writeString(www.resolve("page.html"), "<p>sixteen b</p>".repeat(BODY_BYTES / 16));
    certificate.writeTo(folder);
    Files.writeString(folder.resolve("both.pem"), certificate.pem() + certificate.keyPem());
  }

  private Optional<Path> find(String name, String program) {
    Optional<Path> found = Tools.findForGate(program);
    if (found.isEmpty()) {
      absent.put(name, program + " is not installed here");
    }
    return found;
  }

  private void sluice() {
    int tlsPort = FreePorts.next();
    var config = PeerFiles.sluice(folder, originPort, tlsPort);
    var sluice = SluiceProcess.start(SluiceProcess.jar(), config, SLUICE_FLAGS);
    endings.push(sluice::close);
    add(SLUICE, sluice.process(), sluice.port(), tlsPort, Work.values());
  }

  private void nginx(Path program) throws IOException {
    int port = FreePorts.next();
    int tlsPort = FreePorts.next();
    var config = PeerFiles.nginx(folder, originPort, port, tlsPort);
    add(NGINX, start(program, NGINX, config, port), port, tlsPort, Work.values());
  }

  private RealProcess start(Path nginx, String name, String config, int port) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".conf"), config);
    return start(
        name,
        port,
        List.of(nginx.toString(), "-e", folder + "/" + name + ".log", "-c", file.toString()));
  }

  private void varnish(Path program) {
    int port = FreePorts.next();
    write("varnish.vcl", PeerFiles.varnish(originPort));
    var process =
        start(
            VARNISH,
            port,
            List.of(
                program.toString(),
                "-F",
                "-a",
                "127.0.0.1:" + port,
                "-f",
                folder + "/varnish.vcl",
                "-s",
                "malloc,64m",
                "-n",
                folder + "/varnish"));
    add(VARNISH, process, port, 0, Work.HIT);
  }

  private void haproxy(Path program) {
    int port = FreePorts.next();
    int tlsPort = FreePorts.next();
    write("haproxy.cfg", PeerFiles.haproxy(folder, originPort, port, tlsPort));
    var process =
        start(HAPROXY, port, List.of(program.toString(), "-db", "-f", folder + "/haproxy.cfg"));
    add(HAPROXY, process, port, tlsPort, Work.PASS, Work.TLS, Work.HANDSHAKE);
  }

  private void write(String name, String text) {
    try {
      Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RealProcess start(String name, int port, List<String> command) {
    RealProcess process = RealProcess.start(name, command);
    endings.push(process::close);
    process.waitForHttp(URI.create("http://127.0.0.1:" + port + "/hit/page"), PATIENCE);
    return process;
  }

  private void add(String name, RealProcess process, int port, int tlsPort, Work... works) {
    Map<Work, Integer> ports =
        Stream.of(works).collect(toMap(work -> work, work -> work.secure() ? tlsPort : port));
    contestants.add(new Contestant(name, process.pid(), ports, certificate));
  }

  /** Who takes part, Sluice first. */
  List<Contestant> at(Work work) {
    return contestants.stream().filter(each -> each.does(work)).toList();
  }

  /** Which peers are not here, and why. */
  Map<String, String> absent() {
    return absent;
  }

  /** How many requests the origin itself has counted. */
  long asked() {
    // Three words of heads, then: accepts, handled, requests.
    try (var client = RawClient.connect(originPort, PATIENCE)) {
      String[] words = client.get("/count").readAll().text().strip().split("\\s+", -1);
      return Long.parseLong(words[9]);
    }
  }

  @Override
  public void close() {
    endings.forEach(Runnable::run);
    delete();
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> inside = files.sorted((a, b) -> b.compareTo(a)).toList();
      for (Path file : inside) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
