package dev.sluice.bench.journey;

import dev.sluice.flow.Body;
import dev.sluice.flow.ByteBudget;
import dev.sluice.flow.KeptBody;
import dev.sluice.flow.KeptLimits;
import dev.sluice.flow.StoredBody;
import dev.sluice.flow.Trailers;
import dev.sluice.outcome.BypassReason;
import dev.sluice.time.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;

/** A page that comes in four pieces into a body that is kept. Confined to its loop. */
public final class Page {

  private static final int PIECES = 4;
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final ByteBudget MEMORY = new ByteBudget(64L << 20);

  /** Nobody who is told anything. */
  private static final KeptBody.Owner NOBODY =
      new KeptBody.Owner() {
        @Override
        public void slid(BypassReason why) {
          throw new IllegalStateException("slid: " + why + " (expected: a body that is kept)");
        }

        @Override
        public void whole() {
          // As it should.
        }

        @Override
        public void cutShort() {
          throw new IllegalStateException("cut short (expected: a body that is whole)");
        }

        @Override
        public void discardSpent() {
          throw new IllegalStateException("discarded (expected: a body that is kept)");
        }
      };

  private static final int PIECE_BYTES = Example.PAGE_BYTES / PIECES;
  private static final ByteBuf PIECE = Unpooled.directBuffer(PIECE_BYTES).writeZero(PIECE_BYTES);

  private final Body source = new Body(() -> {}, Example.PAGE_BYTES, MEMORY);
  private final KeptBody kept;

  /** A page of which nothing has come yet; followers may board. */
  public Page(Loop loop) {
    kept =
        new KeptBody(
            source,
            loop,
            new KeptLimits(4L << 20, GRACE_NANOS, Example.PAGE_BYTES, 0),
            MEMORY,
            NOBODY);
    kept.begin();
  }

  /** A page that is all there. */
  public static Page whole() {
    var page = new Page(new BenchmarkLoop());
    page.come();
    return page;
  }

  /** One more reader, from the first byte on. */
  public void followedBy(Loop loop, Body.Reader reader) {
    kept.follower(loop).follow(reader);
  }

  /** All of it comes, piece by piece. */
  public void come() {
    for (int i = 0; i < PIECES; i++) {
      source.append(PIECE.retainedDuplicate());
      source.flush();
    }
    source.complete(Trailers.NONE);
  }

  /** A copy of it that was charged to {@code account} before. */
  public StoredBody store(ByteBudget account, long charged) {
    return kept.store(account, charged);
  }

  /** Its maker lets go. */
  public void release() {
    kept.release();
  }
}
