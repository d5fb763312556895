package dev.sluice.chaos;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.RawFrames.Frame;
import dev.sluice.fixture.RawResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
 * Two pages and an upload on one connection, at once over HTTP/2 and in turn over HTTP/1.1, what
 * came of them, and then the end of the connection. Confined to a thread.
 */
final class MixedVisit {

  /** What the client speaks. */
  enum Speech {
    TLS_HTTP2,
    TLS_HTTP1,
    CLEAR_HTTP2;

    boolean isTls() {
      return this != CLEAR_HTTP2;
    }

    boolean isHttp2() {
      return this != TLS_HTTP1;
    }
  }

  /** Both pages together fit the windows that a client has at first. */
  static final int PAGE = 30_000;

  static final int UPLOAD = 60_000;

  private static final int WRONG_SHOWN = 200;
  private static final int PATIENCE_MILLIS = 10_000;

  /** The stream of the upload, and the end of its path. */
  static final int UPLOADED = 5;

  private static final int[] STREAMS = {1, 3, UPLOADED};

  // RFC 9113 6.5.2 and 6.9.2.
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final long FIRST_WINDOW = 65_535;
  private static final long FRAME_MAX = 16_384;

  private final String path;
  private final Map<Integer, ByteArrayOutputStream> bodies = new HashMap<>();
  private final Map<Integer, String> statuses = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();
  private long streamRoom;
  private long connectionRoom = FIRST_WINDOW;
  private int uploaded;
  private String broken = "";
  private long tookMillis;

  private MixedVisit(String path) {
    this.path = path;
    for (int stream : STREAMS) {
      bodies.put(stream, new ByteArrayOutputStream());
    }
  }

  /**
   * Asks for {@code path}1 and {@code path}3, with these parameters, and posts to {@code path}5.
   */
  static MixedVisit to(int port, Speech speech, SSLContext trust, String path, String parameters) {
    var visit = new MixedVisit(path);
    long began = System.nanoTime();
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
      plain.setTcpNoDelay(true);
      plain.setSoTimeout(PATIENCE_MILLIS);
      try (Socket socket = speech.isTls() ? secure(plain, port, speech, trust) : plain;
          RawClient client = RawClient.over(socket)) {
        if (speech.isHttp2()) {
          visit.atOnce(client, speech.isTls() ? "https" : "http", parameters);
        } else {
          visit.inTurn(client, parameters);
        }
        if (visit.ended.size() == STREAMS.length) {
          awaitEnd(plain);
        }
      }
    } catch (IOException | RuntimeException | AssertionError end) {
      // What came until then is what was seen; a visitor that waited in vain says so.
      visit.broken = end.toString();
    }
    visit.tookMillis = (System.nanoTime() - began) / 1_000_000;
    return visit;
  }

  /** What was seen of each page and of the upload. */
  List<Sight> sights() {
    return Arrays.stream(STREAMS).mapToObj(this::sight).toList();
  }

  boolean isWhole() {
    return sights().stream().allMatch(sight -> sight == Sight.WHOLE);
  }

  /** Up to the end of the connection, where all was whole. */
  long tookMillis() {
    return tookMillis;
  }

  @Override
  public String toString() {
    StringBuilder seen = new StringBuilder(sights() + broken);
    for (int stream : STREAMS) {
      if (sight(stream) == Sight.WRONG) {
        String text = body(stream).toString(StandardCharsets.ISO_8859_1);
        String beginning = text.substring(0, Math.min(text.length(), WRONG_SHOWN));
        seen.append("; ")
            .append(stream)
            .append(": ")
            .append(statuses.get(stream))
            .append(beginning);
      }
    }
    return seen.toString();
  }

  /** Whether a client takes for whole what it gets over TLS as long as the line's end is tidy. */
  static boolean isTakenForWhole(int port, SSLContext trust, String target) {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        Socket socket = secure(plain, port, Speech.TLS_HTTP1, trust);
        RawClient client = RawClient.over(socket)) {
      return client.get(target).readUntilClose().length > 0;
    } catch (IOException | RuntimeException cut) {
      return false;
    }
  }

  private static SSLSocket secure(Socket plain, int port, Speech speech, SSLContext trust)
      throws IOException {
    var socket = (SSLSocket) trust.getSocketFactory().createSocket(plain, "localhost", port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {speech.isHttp2() ? "h2" : "http/1.1"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** Ends the connection below TLS, so that what is seen is the line's end. */
  private static void awaitEnd(Socket plain) throws IOException {
    plain.shutdownOutput();
    InputStream in = plain.getInputStream();
    byte[] rest = new byte[1_024];
    while (in.read(rest) >= 0) {
      // Nothing that anybody asked for.
    }
  }

  private void inTurn(RawClient client, String parameters) {
    for (int stream : STREAMS) {
      client.send(
          (stream == UPLOADED
                      ? "POST %s HTTP/1.1\r\nContent-Length: " + UPLOAD + "\r\nExpect: 100-continue"
                      : "GET %s HTTP/1.1")
                  .formatted(target(stream, parameters + "&framing=length"))
              + "\r\nHost: localhost\r\n\r\n");
      if (stream == UPLOADED && RawResponse.status(client.readHead()) == 100) {
        client.send(new byte[UPLOAD]);
      }
      String head = client.readFinalHead();
      statuses.put(stream, "" + RawResponse.status(head));
      int left = Integer.parseInt(RawResponse.values(head, "Content-Length").get(0));
      while (left > 0) {
        byte[] next = client.readBody(Math.min(left, 1_000));
        body(stream).writeBytes(next);
        left -= next.length;
      }
      ended.add(stream);
    }
  }

  private void atOnce(RawClient client, String scheme, String parameters) {
    RawFrames frames = RawFrames.on(client.send(RawFrames.PREFACE)).settings();
    streamRoom = initialWindow(frames.await(RawFrames.SETTINGS));
    frames.frame(RawFrames.SETTINGS, RawFrames.ACK, 0, new byte[0]);
    for (int stream : STREAMS) {
      frames.headers(
          stream,
          stream != UPLOADED,
          ":method",
          stream == UPLOADED ? "POST" : "GET",
          ":scheme",
          scheme,
          ":authority",
          "localhost",
          ":path",
          target(stream, parameters));
    }
    while (ended.size() < STREAMS.length) {
      upload(frames);
      Frame frame = frames.next();
      if (frame == null) {
        return;
      }
      take(frame, frames);
    }
  }

  private static long initialWindow(Frame settings) {
    ByteBuffer parameters = ByteBuffer.wrap(settings.payload());
    while (parameters.hasRemaining()) {
      int name = parameters.getShort();
      long value = parameters.getInt();
      if (name == INITIAL_WINDOW_SIZE) {
        return value;
      }
    }
    return FIRST_WINDOW;
  }

  /** As much as the windows let through. */
  private void upload(RawFrames frames) {
    while (uploaded < UPLOAD && Math.min(streamRoom, connectionRoom) > 0) {
      long room = Math.min(Math.min(streamRoom, connectionRoom), FRAME_MAX);
      int length = (int) Math.min(room, UPLOAD - uploaded);
      streamRoom -= length;
      connectionRoom -= length;
      uploaded += length;
      frames.data(UPLOADED, uploaded == UPLOAD, new byte[length]);
    }
  }

  private void take(Frame frame, RawFrames frames) {
    switch (frame.type()) {
      case RawFrames.HEADERS ->
          statuses.putIfAbsent(
              frame.stream(), Objects.requireNonNullElse(frames.section().get(":status"), ""));
      case RawFrames.DATA -> body(frame.stream()).writeBytes(frame.payload());
      case RawFrames.WINDOW_UPDATE -> {
        connectionRoom += frame.stream() == 0 ? frame.number(0) : 0;
        streamRoom += frame.stream() == UPLOADED ? frame.number(0) : 0;
        return;
      }
      case RawFrames.RST_STREAM -> {
        // Behind an answer it says no more than that the rest of an upload is not wanted.
        if (ended.add(frame.stream()) && !isFailure(frame.stream())) {
          statuses.put(frame.stream(), "reset");
        }
        return;
      }
      default -> {
        return;
      }
    }
    if (frame.has(RawFrames.END_STREAM)) {
      ended.add(frame.stream());
    }
  }

  /** Whether Sluice said that the origin failed; that it then ends the stream changes nothing. */
  private boolean isFailure(int stream) {
    return told(stream).isOriginFailure();
  }

  /** What a status that refuses says; {@code WRONG} for any other, and as long as there is none. */
  private Sight told(int stream) {
    return switch (statuses.getOrDefault(stream, "")) {
      case "502" -> Sight.BAD_GATEWAY;
      case "503" -> Sight.SHED;
      case "504" -> Sight.GATEWAY_TIMEOUT;
      default -> Sight.WRONG;
    };
  }

  private String target(int stream, String parameters) {
    return path + stream + (stream == UPLOADED ? "?upload=1" : "?bytes=" + PAGE + parameters);
  }

  private ByteArrayOutputStream body(int stream) {
    return Objects.requireNonNull(bodies.get(stream));
  }

  private Sight sight(int stream) {
    Sight told = told(stream);
    if (told.isOriginFailure() || told == Sight.SHED) {
      return told;
    }
    String status = statuses.getOrDefault(stream, "");
    byte[] seen = body(stream).toByteArray();
    byte[] page = stream == UPLOADED ? Sight.receipt(UPLOAD) : Bodies.expected(path + stream, PAGE);
    if (seen.length > page.length || !Arrays.equals(seen, Arrays.copyOf(page, seen.length))) {
      return Sight.WRONG;
    }
    if (status.equals("200") && ended.contains(stream)) {
      return seen.length == page.length ? Sight.WHOLE : Sight.WRONG;
    }
    if (tookMillis >= PATIENCE_MILLIS) {
      return Sight.HUNG;
    }
    return status.isEmpty() ? Sight.NOTHING : Sight.CUT;
  }
}
