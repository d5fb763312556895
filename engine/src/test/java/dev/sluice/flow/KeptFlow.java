package dev.sluice.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.time.FakeTicker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A kept body with its source, its readers, its budget and three loops that a test steps through.
 * Whatever the test did: once everybody has let go, no byte is held and no buffer lives. Confined
 * to the test's thread.
 */
final class KeptFlow implements AfterEachCallback {

  static final int BLOCK = 16 * 1024;
  static final int WINDOW = 64 * 1024;
  static final long GRACE = Duration.ofSeconds(2).toNanos();

  final FakeTicker ticker = new FakeTicker();
  final SteppedLoop home = new SteppedLoop(ticker);
  final SteppedLoop far = new SteppedLoop(ticker);
  final SteppedLoop farther = new SteppedLoop(ticker);
  final List<String> events = new ArrayList<>();
  final List<ScriptedReader> readers = new ArrayList<>();
  Runnable onWhole = () -> {};
  ByteBudget budget = new ByteBudget(64 << 20);
  long written;

  private final List<ByteBuf> made = new ArrayList<>();
  private final Body source = new Body(() -> events.add("resume"), WINDOW, null);

  @Override
  public void afterEach(ExtensionContext context) {
    assertThat(budget.used()).isZero();
    assertThat(made).allMatch(chunk -> chunk.refCnt() == 0);
    assertThat(readers).allMatch(r -> r.buffers.stream().allMatch(chunk -> chunk.refCnt() == 0));
  }

  KeptBody kept(long bodyMax) {
    return kept(new KeptLimits(bodyMax, GRACE, -1, 1 << 30));
  }

  KeptBody kept(KeptLimits limits) {
    var owner =
        new KeptBody.Owner() {
          @Override
          public void slid(BypassReason why) {
            events.add("slid " + why);
          }

          @Override
          public void whole() {
            boolean late = readers.stream().anyMatch(reader -> reader.complete);
            events.add(late ? "whole, too late" : "whole");
            onWhole.run();
          }

          @Override
          public void cutShort() {
            events.add("cut short");
          }

          @Override
          public void discardSpent() {
            events.add("spent");
          }
        };
    var body = new KeptBody(source, home, limits, budget, owner);
    home.on(body::begin);
    return body;
  }

  ReadableBody placeOn(KeptBody body, SteppedLoop loop) {
    var place = new ReadableBody[1];
    home.on(() -> place[0] = body.follower(loop));
    return place[0];
  }

  ScriptedReader reader(KeptBody body, SteppedLoop loop) {
    return follow(new ScriptedReader(placeOn(body, loop)), loop);
  }

  ScriptedReader follow(ScriptedReader reader, SteppedLoop loop) {
    readers.add(reader);
    loop.on(() -> reader.body.follow(reader));
    return reader;
  }

  /** Writes and flushes; whether the writer may go on. */
  boolean append(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(written++);
    }
    ByteBuf chunk = Unpooled.directBuffer(length).writeBytes(bytes);
    made.add(chunk);
    var more = new boolean[1];
    home.on(
        () -> {
          more[0] = source.append(chunk);
          source.flush();
        });
    return more[0];
  }

  /** Writes until somebody holds it up, everybody else having read everything. */
  void fillUp() {
    int asked = resumes();
    boolean more = append(10_000);
    drain();
    while (more || resumes() > asked) {
      asked = resumes();
      more = append(10_000);
      drain();
    }
  }

  void complete() {
    home.on(() -> source.complete(Trailers.NONE));
  }

  int resumes() {
    return (int) events.stream().filter("resume"::equals).count();
  }

  void drain() {
    List<SteppedLoop> loops = List.of(home, far, farther);
    while (loops.stream().filter(SteppedLoop::step).count() > 0) {
      // Another round.
    }
  }

  private static byte at(long offset) {
    return (byte) (offset * 31 + (offset >>> 8));
  }

  static byte[] content(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(i);
    }
    return bytes;
  }

  void abort(Cause cause) {
    home.on(() -> source.abort(cause));
  }
}
