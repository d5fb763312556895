package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A reader that pauses, resumes and deserts as its seed says, checks each byte against what it must
 * be, and lets its buffers go late.
 */
final class WilfulReader implements Body.Reader {

  /** What it saw that must not be. */
  final List<String> wrong = new ArrayList<>();

  final Loops.One loop;
  private final ReadableBody body;
  private final Random random;
  private final List<ByteBuf> held = new ArrayList<>();
  private final List<ByteBuf> all = new ArrayList<>();
  private final double desertChance;
  private double pauseChance;
  private long count;
  private boolean paused;
  private boolean deserted;
  private boolean complete;
  private @Nullable Cause cause;

  WilfulReader(ReadableBody body, Loops.One loop, Random random) {
    this.body = body;
    this.loop = loop;
    this.random = random;
    this.desertChance = random.nextInt(4) == 0 ? 0.05 : 0;
    this.pauseChance = random.nextInt(3) == 0 ? 0.9 : random.nextDouble() / 2;
  }

  static byte at(long offset) {
    return (byte) (offset * 31 + (offset >>> 8));
  }

  void follow() {
    body.follow(this);
  }

  void desert() {
    deserted = true;
    body.desert();
  }

  void resume() {
    if (paused && !deserted) {
      paused = false;
      body.resume();
    }
  }

  void readEverything() {
    pauseChance = 0;
    resume();
  }

  boolean hasDeserted() {
    return deserted;
  }

  boolean isOver() {
    return deserted || complete || cause != null;
  }

  boolean isComplete() {
    return complete;
  }

  @Nullable Cause cause() {
    return cause;
  }

  long count() {
    return count;
  }

  void letGo() {
    held.forEach(ByteBuf::release);
    held.clear();
  }

  boolean leaks() {
    return all.stream().anyMatch(chunk -> chunk.refCnt() != 0);
  }

  @Override
  public boolean chunk(ByteBuf chunk) {
    check("chunk");
    if (paused) {
      wrong.add("chunk while paused");
    }
    byte[] bytes = new byte[chunk.readableBytes()];
    chunk.getBytes(chunk.readerIndex(), bytes);
    for (byte each : bytes) {
      if (each != at(count++)) {
        wrong.add("byte " + (count - 1));
        break;
      }
    }
    held.add(chunk);
    all.add(chunk);
    if (random.nextDouble() < desertChance) {
      desert();
      return random.nextBoolean();
    }
    paused = random.nextDouble() < pauseChance;
    return !paused;
  }

  @Override
  public void flush() {
    check("flush");
    if (random.nextInt(3) == 0) {
      letGo();
    }
    if (random.nextInt(8) == 0) {
      resume();
    }
  }

  @Override
  public void complete(Trailers trailers) {
    check("complete");
    complete = true;
  }

  @Override
  public void aborted(Cause why) {
    check("aborted");
    cause = why;
  }

  private void check(String what) {
    if (isOver()) {
      wrong.add(what + " behind the end");
    }
    if (!loop.isCurrent()) {
      wrong.add(what + " on a loop that is not the reader's");
    }
  }
}
