package dev.sluice.bench.reuse;

import dev.sluice.fixture.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Many sockets that ask for one page at once: when did each see the first byte of its body? One
 * thread and one selector, little more than the system's calls, so that the asking costs far less
 * than the answering. Confined to one thread.
 */
final class FirstBytes implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** One socket, how much of the head's end it has seen, and when its first byte came. */
  private static final class Seen {
    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private int matched;
    private long nanos;
    private boolean came;
    private boolean ok;

    void take(ByteBuffer bytes, long now) {
      if (matched == 0 && !ok) {
        ok = bytes.remaining() > 12 && bytes.get(9) == '2';
      }
      while (matched < HEAD_END.length && bytes.hasRemaining()) {
        byte next = bytes.get();
        matched = next == HEAD_END[matched] ? matched + 1 : next == '\r' ? 1 : 0;
      }
      if (matched == HEAD_END.length && bytes.hasRemaining() && !came) {
        came = true;
        nanos = now;
      }
    }
  }

  /** How long after the first of all each of them saw its own first byte, sorted. */
  record Spread(double[] millis) {
    int count() {
      return millis.length;
    }

    double medianMillis() {
      return millis.length == 0 ? Double.NaN : millis[(millis.length - 1) / 2];
    }

    double lastMillis() {
      return millis.length == 0 ? Double.NaN : millis[millis.length - 1];
    }
  }

  private final Selector selector;
  private final List<SocketChannel> sockets = new ArrayList<>();
  private final List<Seen> seen = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);

  private FirstBytes() throws IOException {
    selector = Selector.open();
  }

  /** Connects so many, asks on all of them, and reads all answers to their end. */
  static Spread of(int port, int count, String target) throws IOException {
    try (var crowd = new FirstBytes()) {
      crowd.connect(port, count);
      crowd.ask(target);
      crowd.read();
      return crowd.spread();
    }
  }

  private void connect(int port, int count) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < count; i++) {
      SocketChannel socket = SocketChannel.open(address);
      sockets.add(socket);
      seen.add(new Seen());
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      socket.configureBlocking(false);
      socket.register(selector, SelectionKey.OP_READ, seen.get(i));
    }
  }

  private void ask(String target) throws IOException {
    byte[] request =
        ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    for (SocketChannel socket : sockets) {
      int written = socket.write(ByteBuffer.wrap(request));
      if (written != request.length) {
        throw new IOException("written: " + written + " (expected: " + request.length + ")");
      }
    }
  }

  private void read() throws IOException {
    Deadline deadline = Deadline.in(PATIENCE);
    int open = sockets.size();
    while (open > 0) {
      deadline.check("end of all answers, " + open + " are open");
      selector.select(deadline.millisLeft());
      for (SelectionKey key : selector.selectedKeys()) {
        open -= read(key);
      }
      selector.selectedKeys().clear();
    }
  }

  /** Returns 1 where the answer has come to its end. */
  private int read(SelectionKey key) throws IOException {
    buffer.clear();
    int count = ((SocketChannel) key.channel()).read(buffer);
    long now = System.nanoTime();
    if (count < 0) {
      key.cancel();
      return 1;
    }
    Seen one = (Seen) key.attachment();
    if (!one.came) {
      one.take(buffer.flip(), now);
    }
    return 0;
  }

  private Spread spread() {
    long[] times =
        seen.stream().filter(one -> one.came && one.ok).mapToLong(one -> one.nanos).toArray();
    long first = Arrays.stream(times).min().orElse(0);
    return new Spread(
        Arrays.stream(times).mapToDouble(nanos -> (nanos - first) / 1e6).sorted().toArray());
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel socket : sockets) {
      socket.close();
    }
    selector.close();
  }
}
