package dev.sluice.observe;

import com.fasterxml.jackson.core.JsonFactory;
import dev.sluice.time.WallClock;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One JSON object a line for each exchange, written by one thread from a bounded queue: a full
 * queue drops and counts, it never blocks a loop. Thread-safe.
 */
public final class AccessLog implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AccessLog.class);
  private static final int QUEUE = 8192;
  private static final int BUFFER = 64 * 1024;
  private static final long IDLE_NANOS = 5_000_000;
  private static final long CLOSE_MILLIS = 2_000;

  private final MpscArrayQueue<Timeline> queue = new MpscArrayQueue<>(QUEUE);
  private final AtomicLong dropped = new AtomicLong();
  private final JsonFactory json = new JsonFactory();
  private final WallClock wall;
  private final boolean enabled;
  private final @Nullable Thread writer;
  private volatile boolean closing;
  private volatile boolean reopen;
  private String target;
  private boolean failed;

  /**
   * Opens the log and starts its writer.
   *
   * @param target {@code stdout}, {@code none} or a file's path
   * @throws IOException where the file cannot be opened
   */
  public AccessLog(String target, WallClock wall) throws IOException {
    this.target = target;
    this.wall = wall;
    this.enabled = !target.equals("none");
    if (enabled) {
      OutputStream out = open(target);
      writer = new Thread(() -> run(out), "sluice-access-log");
      writer.setDaemon(true);
      writer.start();
    } else {
      writer = null;
    }
  }

  /** Takes the exchange's facts; drops them where the queue is full. */
  void log(Timeline exchange) {
    if (enabled && !queue.offer(exchange)) {
      dropped.incrementAndGet();
    }
  }

  /** Lines that were dropped since the start. */
  public long dropped() {
    return dropped.get();
  }

  /** A new file of the same name from the next line on: for log rotation. */
  public void reopen() {
    reopen = true;
  }

  /** Writes what is queued and ends the writer. */
  @Override
  public void close() {
    closing = true;
    if (writer != null) {
      LockSupport.unpark(writer);
      try {
        writer.join(CLOSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static OutputStream open(String target) throws IOException {
    OutputStream raw =
        target.equals("stdout")
            ? new FileOutputStream(FileDescriptor.out)
            : new FileOutputStream(target, true);
    return new BufferedOutputStream(raw, BUFFER);
  }

  private void run(OutputStream first) {
    OutputStream out = first;
    boolean dirty = false;
    while (true) {
      Timeline next = queue.poll();
      if (next != null) {
        dirty |= write(next, out);
      } else if (dirty) {
        flush(out);
        dirty = false;
      } else if (closing) {
        return;
      } else {
        LockSupport.parkNanos(this, IDLE_NANOS);
      }
      if (reopen) {
        reopen = false;
        out = reopened(out);
      }
    }
  }

  private boolean write(Timeline exchange, OutputStream out) {
    try {
      AccessLine.write(exchange, Instant.ofEpochMilli(wall.epochMillis()), json, out);
      failed = false;
      return true;
    } catch (IOException e) {
      lost(e);
      return false;
    }
  }

  private void flush(OutputStream out) {
    try {
      out.flush();
    } catch (IOException e) {
      lost(e);
    }
  }

  /** A full disk costs lines, never requests; it is said once until a line can be written again. */
  private void lost(IOException e) {
    dropped.incrementAndGet();
    if (!failed) {
      failed = true;
      log.error("access log {}: lines are lost: {}", target, e.toString());
    }
  }

  private OutputStream reopened(OutputStream old) {
    if (target.equals("stdout")) {
      return old;
    }
    try {
      OutputStream fresh = open(target);
      old.close();
      return fresh;
    } catch (IOException e) {
      log.error("access log {}: cannot be opened again: {}", target, e.toString());
      return old;
    }
  }
}
