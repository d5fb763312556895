package dev.sluice.flow;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a kept body: blocks in order, each charged to the budget at its capacity. Written
 * and trimmed on the body's home loop; who holds a pin on the body reads from {@link #first()} on.
 */
final class KeptBlocks {

  private static final int BLOCK = 16 * 1024;

  private final ByteBudget budget;
  private final long expected;
  private volatile @Nullable Block first;
  private @Nullable Block last;

  /** No bytes yet; {@code expected} is how many will come where that is known, else -1. */
  KeptBlocks(ByteBudget budget, long expected) {
    this.budget = budget;
    this.expected = expected;
  }

  /** Whether the next byte needs a block of its own. */
  boolean isFull() {
    return last == null || last.isFull();
  }

  /** One more block; false where the budget has no room for it. */
  boolean tryGrow() {
    int capacity = nextCapacity();
    if (!budget.tryTake(capacity)) {
      return false;
    }
    append(capacity);
    return true;
  }

  /** One more block, even past the budget. */
  void grow() {
    int capacity = nextCapacity();
    budget.take(capacity);
    append(capacity);
  }

  private int nextCapacity() {
    long left = expected - nextStart();
    return left > 0 ? (int) Math.min(BLOCK, left) : BLOCK;
  }

  private long nextStart() {
    return last == null ? 0 : last.end();
  }

  private void append(int capacity) {
    Block block;
    try {
      block = new Block(capacity, nextStart());
    } catch (OutOfMemoryError none) {
      budget.giveBack(capacity);
      throw none;
    }
    if (last == null) {
      first = block;
    } else {
      last.next = block;
    }
    last = block;
  }

  /**
   * Copies what fits of {@code chunk} into the last block, which is not full; how much that was.
   */
  int fill(ByteBuf chunk) {
    return last == null ? 0 : last.fill(chunk);
  }

  /** The block of the first byte that is there, or null. For who holds a pin. */
  @Nullable Block first() {
    return first;
  }

  /** Gives back the blocks that lie wholly before {@code tail}, but never the last. */
  void trim(long tail) {
    Block block = first;
    while (block != null && block != last && block.end() <= tail) {
      Block following = block.next;
      first = following;
      free(block);
      block = following;
    }
  }

  /** Gives everything back. By the last who held a pin. */
  void free() {
    Block block = first;
    first = null;
    while (block != null) {
      free(block);
      block = block.next;
    }
  }

  /** Appends all that is there to {@code out}. */
  void copyTo(ByteBuf out) {
    for (Block block = first; block != null; block = block.next) {
      block.copyTo(out);
    }
  }

  private void free(Block block) {
    budget.giveBack(block.capacity());
    block.release();
  }
}
