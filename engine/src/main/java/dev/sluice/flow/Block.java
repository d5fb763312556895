package dev.sluice.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a kept body. One writer, which publishes what it wrote through {@link KeptBody};
 * {@code next} is stored before a byte of the next block is published. Where it begins and ends may
 * be asked even when its bytes are gone.
 */
final class Block {

  volatile @Nullable Block next;

  private final ByteBuf bytes;
  private final int capacity;
  private final long start;

  Block(int capacity, long start) {
    this.bytes = UnpooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacity);
    this.capacity = capacity;
    this.start = start;
  }

  int capacity() {
    return capacity;
  }

  /** The offset in the body behind the last byte that fits. */
  long end() {
    return start + capacity;
  }

  boolean isFull() {
    return !bytes.isWritable();
  }

  /** Copies what fits of {@code from}; how many bytes that was. */
  int fill(ByteBuf from) {
    int length = Math.min(from.readableBytes(), bytes.writableBytes());
    bytes.writeBytes(from, length);
    return length;
  }

  /** Bytes of the body from {@code from} to before {@code to}, as a buffer of the caller's. */
  ByteBuf slice(long from, long to) {
    return bytes.retainedSlice((int) (from - start), (int) (to - from));
  }

  void copyTo(ByteBuf out) {
    out.writeBytes(bytes, 0, bytes.writerIndex());
  }

  /** Its bytes go when the last slice of them does. */
  void release() {
    bytes.release();
  }

  /** How many hold its bytes. */
  int holders() {
    return bytes.refCnt();
  }
}
