package dev.sluice.bench.reuse;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One that reads a body at a slow pace until it is asked for the rest. Thread-safe. */
final class SlowReader implements AutoCloseable {

  private static final int READS_A_SECOND = 10;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1) / READS_A_SECOND;

  private final RawClient client;
  private final String path;
  private final int bytes;
  private final int bytesAtOnce;
  private final CompletableFuture<byte[]> body;
  private volatile boolean hurries;

  private SlowReader(RawClient client, String path, int bytes, int bytesASecond) {
    this.client = client;
    this.path = path;
    this.bytes = bytes;
    this.bytesAtOnce = bytesASecond / READS_A_SECOND;
    this.body = Shop.beside(this::read);
  }

  /** Asks for the path, and has its head when this returns. */
  static SlowReader of(Shop shop, String path, int bytes, int bytesASecond) {
    RawClient client = shop.connectNarrow().get(path + "?ms=100&bytes=" + bytes);
    client.readFinalHead();
    return new SlowReader(client, path, bytes, bytesASecond);
  }

  /** A client's own pace; nothing is waited for. */
  private byte[] read() {
    var all = new ByteArrayOutputStream(bytes);
    while (!hurries && all.size() < bytes) {
      all.writeBytes(client.readBody(Math.min(bytesAtOnce, bytes - all.size())));
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    all.writeBytes(client.readBody(bytes - all.size()));
    return all.toByteArray();
  }

  /** Reads the rest at once; whether it has the whole body then, byte for byte. */
  boolean getsAllOfIt() {
    hurries = true;
    return Arrays.equals(body.join(), Bodies.expected(path, bytes));
  }

  /** The connection goes, and with it whoever reads on it. */
  @Override
  public void close() {
    client.close();
  }
}
