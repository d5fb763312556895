package dev.sluice.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.time.ThreadLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** DEC-26 and DEC-47 on real threads: kept, then sliding, while readers come, pause and go. */
class KeptBodyThreadsTest {

  private static final int LOOPS = 4;
  private static final int READERS = 48;
  private static final int LENGTH = 4_000_000;
  private static final int CHUNK = 20_000;
  private static final long GRACE = TimeUnit.SECONDS.toNanos(60);

  @Test
  void manyLoops_keptBody_everyReaderGetsEverything() throws Exception {
    run(LENGTH + 1);
  }

  @Test
  void manyLoops_slidingBody_everyReaderGetsEverything() throws Exception {
    run(300_000);
  }

  private static void run(long bodyMax) throws Exception {
    var world = new World(bodyMax);
    try {
      world.home.execute(world::begin);
      assertThat(world.done.await(60, TimeUnit.SECONDS))
          .as("every reader came to its end")
          .isTrue();
      for (Reader reader : world.readers) {
        assertThat(reader.wrong).isNull();
        assertThat(reader.left || reader.count == LENGTH).isTrue();
      }
      assertThat(world.readers.stream().filter(reader -> !reader.left)).hasSizeGreaterThan(20);
    } finally {
      world.end();
    }
    assertThat(world.budget.used()).isZero();
    assertThat(world.readers).allMatch(r -> r.buffers.stream().allMatch(b -> b.refCnt() == 0));
  }

  private static final class World implements KeptBody.Owner {
    final ByteBudget budget = new ByteBudget(64 << 20);
    final List<ThreadLoop> loops = new ArrayList<>();
    final ThreadLoop home;
    final List<Reader> readers = new ArrayList<>();
    final CountDownLatch done = new CountDownLatch(READERS);
    private final Body source;
    private final KeptBody body;
    private long written;
    private boolean writing;

    World(long bodyMax) throws Exception {
      for (int i = 0; i < LOOPS; i++) {
        loops.add(new ThreadLoop());
      }
      home = loops.get(0);
      source = new Body(this::resume, 64 * 1024, null);
      body = new KeptBody(source, home, new KeptLimits(bodyMax, GRACE, -1, 1 << 30), budget, this);
    }

    /** Half of the readers are there before the first byte, the others come as it is written. */
    void begin() {
      for (int i = 0; i < READERS / 2; i++) {
        board();
      }
      body.begin();
    }

    private void board() {
      int number = readers.size();
      ThreadLoop loop = loops.get(number % LOOPS);
      var reader = new Reader(body.follower(loop), loop, number, done);
      readers.add(reader);
      loop.execute(reader::follow);
    }

    private void resume() {
      if (!writing) {
        writing = true;
        home.execute(this::write);
      }
    }

    private void write() {
      writing = false;
      if (readers.size() < READERS) {
        board();
      }
      if (written == LENGTH) {
        source.complete(Trailers.NONE);
        return;
      }
      byte[] bytes = new byte[CHUNK];
      for (int i = 0; i < CHUNK; i++) {
        bytes[i] = WilfulReader.at(written++);
      }
      boolean more = source.append(Unpooled.wrappedBuffer(bytes));
      source.flush();
      if (more) {
        resume();
      }
    }

    void end() throws InterruptedException {
      home.execute(body::release);
      // Followers' last messages go to home, so it is the last to end.
      for (int i = LOOPS - 1; i >= 0; i--) {
        loops.get(i).end();
      }
    }

    @Override
    public void slid(BypassReason why) {
      while (readers.size() < READERS) {
        done.countDown();
        readers.add(Reader.absent());
      }
    }

    @Override
    public void whole() {
      // What the followers hear next is what is looked at.
    }

    @Override
    public void cutShort() {
      throw new AssertionError("it is written to its end");
    }

    @Override
    public void discardSpent() {
      throw new AssertionError("there are readers");
    }
  }

  private static final class Reader implements Body.Reader {
    final List<ByteBuf> buffers = new ArrayList<>();
    volatile boolean left;
    volatile long count;
    volatile @Nullable String wrong;
    private final @Nullable ReadableBody body;
    private final @Nullable ThreadLoop loop;
    private final Random random;
    private final CountDownLatch done;
    private final boolean leaves;

    Reader(@Nullable ReadableBody body, @Nullable ThreadLoop loop, int seed, CountDownLatch done) {
      this.body = body;
      this.loop = loop;
      this.random = new Random(seed);
      this.done = done;
      this.leaves = seed % 7 == 3;
    }

    static Reader absent() {
      var reader = new Reader(null, null, 0, new CountDownLatch(0));
      reader.left = true;
      return reader;
    }

    void follow() {
      if (body != null) {
        body.follow(this);
      }
    }

    @Override
    public boolean chunk(ByteBuf chunk) {
      byte[] bytes = new byte[chunk.readableBytes()];
      chunk.getBytes(chunk.readerIndex(), bytes);
      long at = count;
      for (byte each : bytes) {
        if (each != WilfulReader.at(at++)) {
          wrong = "byte " + (at - 1);
        }
      }
      count = at;
      buffers.add(chunk);
      chunk.release();
      if (left) {
        wrong = "served behind its leaving";
      }
      if (leaves && count > LENGTH / 2 && body != null) {
        left = true;
        body.desert();
        done.countDown();
        return false;
      }
      if (random.nextInt(3) == 0 && loop != null && body != null) {
        loop.execute(body::resume);
        return false;
      }
      return true;
    }

    @Override
    public void flush() {
      // The bytes were taken.
    }

    @Override
    public void complete(Trailers trailers) {
      done.countDown();
    }

    @Override
    public void aborted(Cause cause) {
      wrong = "aborted: " + cause;
      done.countDown();
    }
  }
}
