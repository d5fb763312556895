package dev.sluice.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a kept body. One writer, which publishes what it wrote through {@link KeptBody};
 * {@code next} is stored before a byte of the next block is published.
 */
final class Block {

  final ByteBuf bytes;
  final long start;
  volatile @Nullable Block next;

  Block(int capacity, long start) {
    this.bytes = UnpooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacity);
    this.start = start;
  }

  int capacity() {
    return bytes.capacity();
  }

  /** The offset in the body behind the last byte that fits. */
  long end() {
    return start + bytes.capacity();
  }

  boolean isFull() {
    return !bytes.isWritable();
  }

  /** Bytes of the body from {@code from} to before {@code to}, as a buffer of the caller's. */
  ByteBuf slice(long from, long to) {
    return bytes.retainedSlice((int) (from - start), (int) (to - from));
  }
}
