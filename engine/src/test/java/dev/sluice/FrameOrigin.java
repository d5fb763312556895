package dev.sluice;

import dev.sluice.fixture.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An origin of HTTP/2 that writes frames one by one as the test says, whatever they make of a
 * connection. Thread-safe: what is recorded is guarded by this object's lock; each connection has a
 * thread.
 */
final class FrameOrigin implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int PREFACE = 24;
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;

  /** What the test answers with. */
  interface Script {
    /** A request's head came on a stream of {@code connection}. */
    void asked(Connection connection, int stream, Http2Headers fields) throws IOException;
  }

  /** One frame that came. */
  record Frame(int type, int flags, int stream, byte[] payload) {

    /** The number in the first four bytes. */
    int number() {
      return Unpooled.wrappedBuffer(payload).readInt();
    }
  }

  private final ServerSocket listener;
  private final Script script;
  private final byte[] settings;
  private final List<Connection> connections = new ArrayList<>();
  private boolean answersPings = true;

  private FrameOrigin(ServerSocket listener, byte[] settings, Script script) {
    this.listener = listener;
    this.settings = settings;
    this.script = script;
  }

  /** Listens before it returns; {@code settings}: id, value, id, value, … */
  static FrameOrigin start(Script script, int... settings) {
    ByteBuf parameters = Unpooled.buffer();
    for (int i = 0; i < settings.length; i += 2) {
      parameters.writeShort(settings[i]).writeInt(settings[i + 1]);
    }
    try {
      var listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      var origin = new FrameOrigin(listener, ByteBufUtil.getBytes(parameters), script);
      startThread(origin::accept);
      return origin;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It never says that it is there. */
  FrameOrigin withoutPingAnswers() {
    answersPings = false;
    return this;
  }

  int port() {
    return listener.getLocalPort();
  }

  synchronized int connections() {
    return connections.size();
  }

  synchronized Connection connection(int number) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (connections.size() <= number) {
      deadline.check("connection " + number);
      pause(this, deadline.millisLeft());
    }
    return connections.get(number);
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Connection connection : all()) {
        connection.socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized List<Connection> all() {
    return List.copyOf(connections);
  }

  private void accept() {
    try {
      while (true) {
        var connection = new Connection(listener.accept());
        synchronized (this) {
          connections.add(connection);
          notifyAll();
        }
        startThread(connection::serve);
      }
    } catch (IOException closed) {
      return;
    }
  }

  /** One accepted connection. */
  final class Connection {
    private final Socket socket;
    private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder(false);
    private final List<Frame> frames = new ArrayList<>();
    private boolean over;

    Connection(Socket socket) {
      this.socket = socket;
    }

    /** All frames of this type that came so far. */
    synchronized List<Frame> frames(int type) {
      return frames.stream().filter(frame -> frame.type() == type).toList();
    }

    /** The first frame of this type on this stream, as soon as there is one. */
    synchronized Frame await(int type, int stream) {
      Deadline deadline = Deadline.in(PATIENCE);
      while (true) {
        for (Frame frame : frames) {
          if (frame.type() == type && frame.stream() == stream) {
            return frame;
          }
        }
        deadline.check("frame of type " + type + " on stream " + stream + ": " + frames);
        pause(this, deadline.millisLeft());
      }
    }

    /** Returns once the proxy has closed the connection. */
    synchronized void awaitEnd() {
      Deadline deadline = Deadline.in(PATIENCE);
      while (!over) {
        deadline.check("end of the connection");
        pause(this, deadline.millisLeft());
      }
    }

    /** Writes a head: name, value, name, value, … */
    void headers(int stream, int flags, String... fields) throws IOException {
      frame(HEADERS, END_HEADERS | flags, stream, block(fields));
    }

    void data(int stream, int flags, String text) throws IOException {
      frame(DATA, flags, stream, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void reset(int stream, int code) throws IOException {
      frame(RST_STREAM, 0, stream, numbers(code));
    }

    void goAway(int last, int code) throws IOException {
      frame(GOAWAY, 0, 0, numbers(last, code));
    }

    synchronized void frame(int type, int flags, int stream, byte[] payload) throws IOException {
      ByteBuf head = Unpooled.buffer(9 + payload.length);
      head.writeMedium(payload.length).writeByte(type).writeByte(flags).writeInt(stream);
      head.writeBytes(payload);
      socket.getOutputStream().write(ByteBufUtil.getBytes(head));
    }

    void close() throws IOException {
      socket.close();
    }

    private void serve() {
      try (socket) {
        socket.setTcpNoDelay(true);
        var in = new DataInputStream(socket.getInputStream());
        in.skipNBytes(PREFACE);
        frame(SETTINGS, 0, 0, settings);
        while (true) {
          take(read(in));
        }
      } catch (IOException | Http2Exception left) {
        // The proxy left, or the test closed.
        end();
      }
    }

    private Frame read(DataInputStream in) throws IOException {
      int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      return new Frame(type, flags, stream, in.readNBytes(length));
    }

    private void take(Frame frame) throws IOException, Http2Exception {
      note(frame);
      if (frame.type() == SETTINGS && frame.flags() == 0) {
        frame(SETTINGS, ACK, 0, new byte[0]);
      } else if (frame.type() == PING && frame.flags() == 0 && answersPings) {
        frame(PING, ACK, 0, frame.payload());
      } else if (frame.type() == HEADERS) {
        ByteBuf block = Unpooled.wrappedBuffer(frame.payload());
        script.asked(this, frame.stream(), hpack.decodeHeaders(frame.stream(), block));
      }
    }

    private synchronized void note(Frame frame) {
      frames.add(frame);
      notifyAll();
    }

    private synchronized void end() {
      over = true;
      notifyAll();
    }
  }

  /** Fields as HPACK literals without indexing (RFC 7541 6.2.2), byte for byte as given. */
  static byte[] block(String... fields) {
    var out = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i += 2) {
      out.write(0);
      string(out, fields[i]);
      string(out, fields[i + 1]);
    }
    return out.toByteArray();
  }

  private static void string(ByteArrayOutputStream out, String text) {
    int length = text.length();
    if (length < 127) {
      out.write(length);
    } else {
      out.write(127);
      int left = length - 127;
      for (; left >= 128; left >>>= 7) {
        out.write(left & 127 | 128);
      }
      out.write(left);
    }
    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] numbers(int... numbers) {
    ByteBuf out = Unpooled.buffer();
    for (int number : numbers) {
      out.writeInt(number);
    }
    return ByteBufUtil.getBytes(out);
  }

  // Every caller asks again in a loop.
  @SuppressWarnings({"WaitNotInLoop", "SynchronizeOnNonFinalField"})
  private static void pause(Object lock, long millis) {
    try {
      lock.wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void startThread(Runnable task) {
    var thread = new Thread(task, "frame-origin");
    thread.setDaemon(true);
    thread.start();
  }
}
