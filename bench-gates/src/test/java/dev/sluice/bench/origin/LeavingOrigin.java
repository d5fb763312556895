package dev.sluice.bench.origin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An origin of HTTP/2 that leaves each connection behind so many requests, as one does that is
 * restarted: those it began it answers, those above it does not look at (RFC 9113 6.8). It counts
 * what it processed. Thread-safe; each connection has a thread.
 */
final class LeavingOrigin implements AutoCloseable {

  /** How it leaves. */
  enum Farewell {
    /** GOAWAY that names the last stream it took; it answers those, and the proxy closes. */
    GOAWAY,
    /** It closes, as if there were no rule. */
    CLOSE
  }

  private static final int PREFACE = 24;
  private static final int HEAD = 9;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;

  /** {@code :status 200} of the static table, and nothing else (RFC 7541 A). */
  private static final byte[] OK = {(byte) 0x88};

  private final ServerSocket listener;
  private final Farewell farewell;
  private final int each;
  private final int millis;
  private final ScheduledExecutorService renders = Executors.newScheduledThreadPool(1);
  private final Map<String, Integer> processed = new ConcurrentHashMap<>();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong farewells = new AtomicLong();

  private LeavingOrigin(ServerSocket listener, Farewell farewell, int each, int millis) {
    this.listener = listener;
    this.farewell = farewell;
    this.each = each;
    this.millis = millis;
  }

  /** Listens before it returns; answers {@code each} requests a connection, in {@code millis}. */
  static LeavingOrigin start(Farewell farewell, int each, int millis) {
    try {
      var listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      var origin = new LeavingOrigin(listener, farewell, each, millis);
      thread(origin::accept);
      return origin;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Requests that were begun. */
  long processed() {
    return processed.values().stream().mapToLong(Integer::longValue).sum();
  }

  /** Paths that were begun more than once; each is asked for by one client, once. */
  long processedTwice() {
    return processed.values().stream().filter(times -> times > 1).count();
  }

  /** Requests that came above the last stream of a GOAWAY. */
  long refused() {
    return refused.get();
  }

  /** Connections that it left. */
  long farewells() {
    return farewells.get();
  }

  @Override
  public void close() {
    renders.shutdownNow();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    try {
      while (true) {
        var connection = new Connection(listener.accept());
        thread(connection::serve);
      }
    } catch (IOException closed) {
      return;
    }
  }

  /** One accepted connection. Its counts are guarded by this object's lock. */
  private final class Connection {

    private final Socket socket;
    private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder(false);
    private int taken;
    private boolean left;

    Connection(Socket socket) {
      this.socket = socket;
    }

    void serve() {
      try (socket) {
        socket.setTcpNoDelay(true);
        var in = new DataInputStream(socket.getInputStream());
        in.skipNBytes(PREFACE);
        write(SETTINGS, 0, 0, new byte[0]);
        while (true) {
          int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
          int type = in.readUnsignedByte();
          int flags = in.readUnsignedByte();
          int stream = in.readInt();
          take(type, flags, stream, in.readNBytes(length));
        }
      } catch (IOException | Http2Exception over) {
        // The proxy left, or this side did.
        return;
      }
    }

    private void take(int type, int flags, int stream, byte[] payload)
        throws IOException, Http2Exception {
      boolean ack = (flags & ACK) != 0;
      if (type == SETTINGS && !ack) {
        write(SETTINGS, ACK, 0, new byte[0]);
      } else if (type == PING && !ack) {
        write(PING, ACK, 0, payload);
      } else if (type == HEADERS) {
        ByteBuf block = Unpooled.wrappedBuffer(payload);
        asked(stream, hpack.decodeHeaders(stream, block).path().toString());
      }
    }

    private synchronized void asked(int stream, String path) throws IOException {
      if (left) {
        refused.incrementAndGet();
        return;
      }
      processed.merge(path, 1, Integer::sum);
      renders.schedule(() -> answer(stream), millis, TimeUnit.MILLISECONDS);
      if (++taken == each) {
        left = true;
        farewells.incrementAndGet();
        if (farewell == Farewell.CLOSE) {
          socket.close();
        } else {
          write(
              GOAWAY, 0, 0, ByteBufUtil.getBytes(Unpooled.buffer(8).writeInt(stream).writeInt(0)));
        }
      }
    }

    private synchronized void answer(int stream) {
      try {
        write(HEADERS, END_HEADERS | END_STREAM, stream, OK);
      } catch (IOException gone) {
        // Nobody to answer any more.
        return;
      }
    }

    private synchronized void write(int type, int flags, int stream, byte[] payload)
        throws IOException {
      ByteBuf out = Unpooled.buffer(HEAD + payload.length);
      out.writeMedium(payload.length).writeByte(type).writeByte(flags).writeInt(stream);
      socket.getOutputStream().write(ByteBufUtil.getBytes(out.writeBytes(payload)));
    }
  }

  private static void thread(Runnable task) {
    var thread = new Thread(task, "leaving-origin");
    thread.setDaemon(true);
    thread.start();
  }
}
