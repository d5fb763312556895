package dev.sluice.chaos;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.RawFrames.Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Two streams at once on one connection with TLS and HTTP/2, and what came. Confined to a thread.
 */
final class SecureVisit {

  /** Both pages together fit the windows that a client has at first. */
  static final int PAGE = 30_000;

  private static final int PATIENCE_MILLIS = 10_000;
  private static final int[] STREAMS = {1, 3};

  private final Map<Integer, ByteArrayOutputStream> bodies = new HashMap<>();
  private final Map<Integer, String> statuses = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();
  private long tookMillis;

  private SecureVisit() {}

  /** What one stream saw, each of its own page. */
  List<Sight> sights(String path) {
    return Arrays.stream(STREAMS).mapToObj(stream -> sight(path, stream)).toList();
  }

  boolean isWhole(String path) {
    return sights(path).stream().allMatch(sight -> sight == Sight.WHOLE);
  }

  long tookMillis() {
    return tookMillis;
  }

  /** Asks for {@code path}1 and {@code path}3. */
  static SecureVisit to(int port, SSLContext trust, String path, String parameters) {
    SecureVisit visit = new SecureVisit();
    long began = System.nanoTime();
    try (SSLSocket socket = connect(port, trust);
        RawFrames frames = RawFrames.open(RawClient.over(socket))) {
      for (int stream : STREAMS) {
        visit.bodies.put(stream, new ByteArrayOutputStream());
        frames.headers(
            stream,
            true,
            ":method",
            "GET",
            ":scheme",
            "https",
            ":authority",
            "localhost",
            ":path",
            path + stream + "?bytes=" + PAGE + parameters);
      }
      visit.read(frames);
    } catch (IOException | RuntimeException | AssertionError broken) {
      // What came until then is what was seen; a visitor that waited in vain says so.
      visit.statuses.putIfAbsent(0, broken.toString());
    }
    visit.tookMillis = (System.nanoTime() - began) / 1_000_000;
    return visit;
  }

  private static SSLSocket connect(int port, SSLContext trust) throws IOException {
    SSLSocket socket =
        (SSLSocket) trust.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void read(RawFrames frames) {
    while (ended.size() < STREAMS.length) {
      Frame frame = frames.next();
      if (frame == null) {
        return;
      }
      switch (frame.type()) {
        case RawFrames.HEADERS ->
            statuses.putIfAbsent(
                frame.stream(), Objects.requireNonNullElse(frames.section().get(":status"), ""));
        case RawFrames.DATA ->
            Objects.requireNonNull(bodies.get(frame.stream())).writeBytes(frame.payload());
        case RawFrames.RST_STREAM -> {
          ended.add(frame.stream());
          statuses.put(frame.stream(), "reset");
          continue;
        }
        default -> {
          continue;
        }
      }
      if (frame.has(RawFrames.END_STREAM)) {
        ended.add(frame.stream());
      }
    }
  }

  private Sight sight(String path, int stream) {
    String status = statuses.getOrDefault(stream, "");
    byte[] body =
        bodies.containsKey(stream)
            ? Objects.requireNonNull(bodies.get(stream)).toByteArray()
            : new byte[0];
    if (status.equals("502") || status.equals("504")) {
      return Sight.FAILED;
    }
    byte[] page = Bodies.expected(path + stream, PAGE);
    if (body.length > PAGE || !Arrays.equals(body, Arrays.copyOf(page, body.length))) {
      return Sight.WRONG;
    }
    boolean whole = status.equals("200") && ended.contains(stream);
    if (whole) {
      return body.length == PAGE ? Sight.WHOLE : Sight.WRONG;
    }
    if (tookMillis >= PATIENCE_MILLIS) {
      return Sight.HUNG;
    }
    return status.isEmpty() ? Sight.NOTHING : Sight.CUT;
  }
}
