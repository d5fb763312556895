package dev.sluice.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;

/** DEC-26's laws under random schedules of several loops and random readers. */
class KeptBodyLawsTest {

  private static final int KIB = 1024;
  private static final int WINDOW = 64 * KIB;
  private static final int BLOCK = 16 * KIB;
  private static final int CHUNK_MAX = 40_000;
  private static final long GRACE = 1000;

  /** Within its bounds a body never waits for a reader, and nobody misses a byte. */
  @Property(tries = 150)
  void kept_everyReaderGetsEverything(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 1, max = 4) int loops) {
    var world = new World(seed, loops, 10 << 20, Long.MAX_VALUE);
    world.run();
    assertThat(world.slid).isNull();
    assertThat(world.paused).isZero();
    assertThat(world.readers).noneMatch(reader -> reader.cause() == Cause.LAGGARD);
  }

  /** Past its bound it holds no more than its window, and cuts only who holds up another. */
  @Property(tries = 200)
  void sliding_nobodyHangsAndLittleIsHeld(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 1, max = 4) int loops,
      @ForAll @IntRange(min = 0, max = 200_000) int bodyMax) {
    new World(seed, loops, bodyMax, Long.MAX_VALUE).run();
  }

  /** The same where the process runs out of room at any block. */
  @Property(tries = 100)
  void budgetSpent_isAsIfTheBoundWereMet(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 0, max = 20) int blocks) {
    new World(seed, 3, 10 << 20, (long) blocks * BLOCK).run();
  }

  /** One reader is never cut, however slow. */
  @Property(tries = 100)
  void loneReader_losesNothing(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 0, max = 100_000) int bodyMax) {
    var world = new World(seed, 2, bodyMax, Long.MAX_VALUE);
    world.readersMax = 1;
    world.run();
    assertThat(world.readers).noneMatch(reader -> reader.cause() == Cause.LAGGARD);
  }

  /** A loop that ends takes its own readers with it, and nobody else. */
  @Property(tries = 150)
  void endedLoop_neitherHangsTheOthersNorLeaks(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed,
      @ForAll @IntRange(min = 0, max = 200_000) int bodyMax) {
    var world = new World(seed, 4, bodyMax, Long.MAX_VALUE);
    world.loopsEnd = true;
    world.run();
  }

  /** One body, its writer, and whoever comes. */
  private static final class World implements KeptBody.Owner {
    final List<WilfulReader> readers = new ArrayList<>();
    int readersMax = 12;
    boolean loopsEnd;
    int paused;
    @Nullable BypassReason slid;
    private final Random random;
    private final Loops loops;
    private final Loops.One home;
    private final ByteBudget budget;
    private final Body source;
    private final KeptBody body;
    private final List<ByteBuf> made = new ArrayList<>();
    private final long bodyMax;
    private final long length;
    private boolean mayWrite = true;
    private boolean unflushed;
    private long written;
    private long writtenAtSlide;
    private int spent;
    private @Nullable Cause abort;
    private boolean ended;

    World(long seed, int count, long bodyMax, long memory) {
      random = new Random(seed);
      loops = new Loops(count, random);
      home = loops.get(0);
      budget = new ByteBudget(memory);
      this.bodyMax = bodyMax;
      length = random.nextInt(400_000);
      source = new Body(() -> mayWrite = true, WINDOW, null);
      long expected = random.nextBoolean() ? length : -1;
      body =
          new KeptBody(
              source, home, new KeptLimits(bodyMax, GRACE, expected, 50_000), budget, this);
      home.on(body::begin);
    }

    @Override
    public void slid(BypassReason why) {
      assertThat(slid).as("slid before").isNull();
      assertThat(body.isBoardable()).isFalse();
      slid = why;
      writtenAtSlide = written;
    }

    @Override
    public void whole() {
      // What the followers hear next is what is looked at.
    }

    @Override
    public void cutShort() {
      // What the followers hear next is what is looked at.
    }

    @Override
    public void discardSpent() {
      spent++;
      assertThat(readers).allMatch(WilfulReader::isOver);
    }

    void run() {
      for (int i = 0; i < 400; i++) {
        step();
        assertWithinBounds();
      }
      finish();
      assertEnd();
    }

    private void step() {
      switch (random.nextInt(8)) {
        case 0, 1 -> write();
        case 2 -> board();
        case 3 -> onAnyReader(WilfulReader::resume);
        case 4 -> {
          if (random.nextInt(20) == 0) {
            onAnyReader(WilfulReader::desert);
          }
        }
        case 5 -> rarely();
        default -> loops.step();
      }
    }

    private void rarely() {
      switch (random.nextInt(60)) {
        case 0 -> endALoop();
        case 1 -> abort();
        case 2, 3, 4, 5 -> loops.advance(GRACE / 2);
        default -> loops.step();
      }
    }

    private void write() {
      if (!mayWrite || ended) {
        return;
      }
      int size = (int) Math.min(length - written, 1 + random.nextInt(CHUNK_MAX));
      if (size > 0) {
        append(size);
      }
      // A source that stops, for whatever reason, has said what it read.
      if (unflushed && (!mayWrite || random.nextInt(3) > 0)) {
        unflushed = false;
        home.on(source::flush);
      }
      if (written == length && random.nextInt(4) == 0) {
        ended = true;
        home.on(() -> source.complete(Trailers.NONE));
      }
    }

    private void append(int size) {
      byte[] bytes = new byte[size];
      for (int i = 0; i < size; i++) {
        bytes[i] = WilfulReader.at(written++);
      }
      ByteBuf chunk = Unpooled.wrappedBuffer(bytes);
      made.add(chunk);
      unflushed = true;
      home.on(
          () -> {
            mayWrite = true;
            if (!source.append(chunk)) {
              mayWrite = false;
              paused++;
              assertThat(slid).as("only a sliding body waits").isNotNull();
            }
          });
    }

    private void abort() {
      if (!ended && random.nextInt(4) == 0) {
        ended = true;
        abort = Cause.ORIGIN_CUT_SHORT;
        home.on(() -> source.abort(Cause.ORIGIN_CUT_SHORT));
      }
    }

    private void board() {
      if (readers.size() >= readersMax || !body.isBoardable()) {
        return;
      }
      Loops.One loop = loops.any();
      home.on(
          () -> {
            ReadableBody place = body.follower(loop);
            var reader = new WilfulReader(place, loop, random);
            try {
              loop.execute(reader::follow);
              readers.add(reader);
            } catch (RejectedExecutionException ending) {
              place.desert();
            }
          });
    }

    private void onAnyReader(java.util.function.Consumer<WilfulReader> what) {
      if (!readers.isEmpty()) {
        WilfulReader reader = readers.get(random.nextInt(readers.size()));
        if (!reader.loop.hasEnded()) {
          reader.loop.execute(() -> what.accept(reader));
        }
      }
    }

    /** Its connections close as the last thing it does, most of them. */
    private void endALoop() {
      Loops.One loop = loops.any();
      if (!loopsEnd || loop == home || loop.hasEnded()) {
        return;
      }
      for (WilfulReader reader : readers) {
        if (reader.loop == loop && random.nextInt(3) > 0) {
          loop.execute(reader::desert);
        }
      }
      loop.end();
    }

    private void assertWithinBounds() {
      assertThat(readers).allMatch(reader -> reader.wrong.isEmpty());
      if (slid != null) {
        long window = Math.max(writtenAtSlide, WINDOW) + WINDOW;
        assertThat(budget.used()).isLessThanOrEqualTo(window + CHUNK_MAX + 2 * BLOCK);
        assertThat(body.isBoardable()).isFalse();
      } else {
        assertThat(written).isLessThanOrEqualTo(bodyMax);
      }
    }

    /** The last thing an ended loop does is close its connections, whatever they said before. */
    private void closeEndedLoops() {
      for (WilfulReader reader : readers) {
        if (reader.loop.hasEnded() && !reader.isOver()) {
          reader.loop.on(reader::desert);
        }
      }
    }

    /** Everybody reads on, time passes, and the writer goes on whenever it is asked to. */
    private void finish() {
      closeEndedLoops();
      for (int idle = 0; idle < 4; ) {
        long before = written;
        loops.drain();
        for (WilfulReader reader : readers) {
          if (!reader.loop.hasEnded()) {
            reader.loop.execute(reader::readEverything);
          }
        }
        loops.drain();
        write();
        loops.drain();
        loops.advance(GRACE);
        idle = written == before && (ended || !mayWrite) ? idle + 1 : 0;
        assertWithinBounds();
      }
    }

    private void assertEnd() {
      assertThat(ended).as("the writer got to its end").isTrue();
      for (WilfulReader reader : readers) {
        assertThat(reader.wrong).isEmpty();
        if (!reader.loop.hasEnded() && !reader.hasDeserted()) {
          assertToldTheEnd(reader);
        }
      }
      readers.forEach(WilfulReader::letGo);
      loops.drain();
      home.on(body::release);
      assertThat(budget.used()).isZero();
      assertThat(made).allMatch(chunk -> chunk.refCnt() == 0);
      assertThat(readers).noneMatch(WilfulReader::leaks);
      assertThat(loops.timers()).isZero();
      assertThat(spent).isLessThanOrEqualTo(1);
      assertThat(loops.all()).allMatch(loop -> loop.mostGroupTasks() <= 1);
    }

    private void assertToldTheEnd(WilfulReader reader) {
      if (reader.cause() == Cause.LAGGARD) {
        assertThat(slid).isNotNull();
        assertThat(readers.size()).as("it held up another").isGreaterThan(1);
        assertThat(reader.count()).isLessThanOrEqualTo(written);
        return;
      }
      assertThat(reader.cause()).isEqualTo(abort);
      assertThat(reader.isComplete()).isEqualTo(abort == null);
      assertThat(reader.count()).isEqualTo(written);
    }
  }
}
