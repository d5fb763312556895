package dev.sluice.observe;

import dev.sluice.time.WallClock;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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

  /** Lines that may wait for the writer. */
  static final int QUEUE = 8192;

  private static final Logger log = LoggerFactory.getLogger(AccessLog.class);

  /** Lines are handed on in blocks of about this size, or as soon as the queue is empty. */
  private static final int BLOCK = 32 * 1024;

  // Waking the writer for every line would cost loops more than the lines do: it looks again after
  // a pause, and only sleeps until it is woken once nothing came for a while.
  private static final long PAUSE_NANOS = 5_000_000;
  private static final int PAUSES = 100;
  private static final long CLOSE_MILLIS = 2_000;

  private final MpscArrayQueue<Timeline> queue = new MpscArrayQueue<>(QUEUE);
  private final AtomicLong dropped = new AtomicLong();
  private final WallClock wall;
  private final @Nullable Writer writer;
  private final @Nullable Thread thread;
  private volatile boolean asleep;
  private volatile boolean closing;
  private volatile boolean reopen;

  /** Where lines go; opened at the start and again for each rotation. */
  interface Sink {
    OutputStream open() throws IOException;
  }

  /**
   * Opens the log and starts its writer.
   *
   * @param target {@code stdout}, {@code none} or a file's path
   * @throws IOException where the file cannot be opened
   */
  public AccessLog(String target, WallClock wall) throws IOException {
    this(target.equals("none") ? null : sinkFor(target), target, wall);
  }

  AccessLog(@Nullable Sink sink, String target, WallClock wall) throws IOException {
    this.wall = wall;
    if (sink == null) {
      writer = null;
      thread = null;
      return;
    }
    Writer made = new Writer(sink, target);
    writer = made;
    thread = new Thread(made, "sluice-access-log");
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes the exchange's facts; drops them where the queue is full. */
  void log(Timeline exchange) {
    if (writer == null) {
      return;
    }
    exchange.handOver(wall.epochMillis());
    if (closing || !queue.offer(exchange)) {
      dropped.incrementAndGet();
    } else if (asleep) {
      LockSupport.unpark(thread);
    }
  }

  /** Lines that were dropped since the start. */
  public long dropped() {
    return dropped.get();
  }

  /** A new file of the same name from the next line on: for log rotation. */
  public void reopen() {
    reopen = true;
    LockSupport.unpark(thread);
  }

  /** Writes what is queued and ends the writer; waits for a stuck one a moment at most. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    if (thread != null) {
      try {
        thread.join(CLOSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Sink sinkFor(String target) {
    // The process's own output is not ours to close, and opening it again changes nothing.
    return target.equals("stdout")
        ? () -> new FileOutputStream(FileDescriptor.out)
        : () -> new FileOutputStream(target, true);
  }

  /** The log's one thread. */
  private final class Writer implements Runnable {

    private final Sink sink;
    private final String target;
    private final ByteArrayOutputStream block = new ByteArrayOutputStream(2 * BLOCK);
    private AccessLine line = new AccessLine(block);
    private OutputStream out;
    private int linesInBlock;
    private int pauses;
    private boolean failing;

    Writer(Sink sink, String target) throws IOException {
      this.sink = sink;
      this.target = target;
      this.out = sink.open();
    }

    @Override
    public void run() {
      boolean last = false;
      while (!last) {
        last = closing;
        if (reopen) {
          reopen = false;
          openAgain();
        }
        if (drain() > 0) {
          pauses = 0;
        } else if (!last) {
          pause();
        }
      }
      closeQuietly(out);
    }

    /** Writes all that is queued; returns how many lines that were. */
    private int drain() {
      int lines = 0;
      for (Timeline next = queue.poll(); next != null; next = queue.poll()) {
        add(next);
        lines++;
        if (block.size() >= BLOCK) {
          handOn();
        }
      }
      handOn();
      return lines;
    }

    private void add(Timeline exchange) {
      int before = block.size();
      try {
        line.write(exchange);
        linesInBlock++;
      } catch (IOException | RuntimeException e) {
        lost(1, e);
        startOver(before);
      }
    }

    /**
     * A line that could not be made leaves neither half of itself nor a generator in its middle.
     */
    private void startOver(int whole) {
      byte[] kept = block.toByteArray();
      block.reset();
      block.write(kept, 0, whole);
      try {
        line = new AccessLine(block);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    private void handOn() {
      if (linesInBlock == 0) {
        return;
      }
      try {
        if (failing) {
          // What a full disk took last may have ended in the middle of a line.
          out.write('\n');
        }
        block.writeTo(out);
        out.flush();
        failing = false;
      } catch (IOException e) {
        lost(linesInBlock, e);
      }
      block.reset();
      linesInBlock = 0;
    }

    /** A full disk costs lines, never requests; it is said once until lines are written again. */
    private void lost(int lines, Exception e) {
      dropped.addAndGet(lines);
      if (!failing) {
        failing = true;
        log.error("access log {}: lines are lost: {}", target, e.toString());
      }
    }

    private void openAgain() {
      handOn();
      try {
        OutputStream fresh = sink.open();
        closeQuietly(out);
        out = fresh;
        failing = false;
      } catch (IOException e) {
        log.error("access log {}: cannot be opened again: {}", target, e.toString());
      }
    }

    private void closeQuietly(OutputStream old) {
      if (target.equals("stdout")) {
        return;
      }
      try {
        old.close();
      } catch (IOException e) {
        log.warn("access log {}: {}", target, e.toString());
      }
    }

    private void pause() {
      if (pauses < PAUSES) {
        pauses++;
        LockSupport.parkNanos(this, PAUSE_NANOS);
        return;
      }
      asleep = true;
      // Asked again behind the flag: who offers looks at the flag afterwards.
      if (queue.isEmpty() && !closing && !reopen) {
        LockSupport.park(this);
      }
      asleep = false;
      pauses = 0;
    }
  }
}
