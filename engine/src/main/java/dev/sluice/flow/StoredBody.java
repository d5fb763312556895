package dev.sluice.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A complete body in one buffer of exactly its size, charged to an account for as long as anybody
 * holds it. Its maker is the first holder. Only a holder may read it. Thread-safe.
 */
public final class StoredBody {

  private static final AtomicLongFieldUpdater<StoredBody> CHARGED =
      AtomicLongFieldUpdater.newUpdater(StoredBody.class, "charged");

  private final Pins pins = new Pins();
  private final ByteBuf bytes;
  private final ByteBudget account;
  private volatile long charged;

  private StoredBody(ByteBuf bytes, ByteBudget account, long charged) {
    this.bytes = bytes;
    this.account = account;
    this.charged = charged;
  }

  /**
   * Room for {@code length} bytes.
   *
   * @param charged what {@code account} was charged before: this body gives it back at its end, or
   *     at once where there is no memory for it
   */
  static StoredBody allocate(int length, ByteBudget account, long charged) {
    try {
      ByteBuf room =
          length == 0
              ? Unpooled.EMPTY_BUFFER
              : UnpooledByteBufAllocator.DEFAULT.directBuffer(length, length);
      return new StoredBody(room, account, charged);
    } catch (OutOfMemoryError none) {
      account.giveBack(charged);
      throw none;
    }
  }

  /** In bytes. */
  public int length() {
    return bytes.writerIndex();
  }

  /** Becomes a holder; false where the bytes are gone. */
  public boolean tryPin() {
    return pins.tryPin();
  }

  /** Lets go; the last one gives the bytes back. */
  public void unpin() {
    if (pins.unpin()) {
      bytes.release();
      account.giveBack(charged);
    }
  }

  /** Bytes charged to the account. */
  public long charged() {
    return charged;
  }

  /** The account was charged so much more, for what is kept beside it. For holders. */
  public void chargeMore(long bytes) {
    CHARGED.addAndGet(this, bytes);
  }

  /** How many hold it. */
  public int holders() {
    return pins.count();
  }

  /** All of it, as a buffer of the caller's. For holders. */
  public ByteBuf whole() {
    return bytes.retainedDuplicate();
  }

  /** Appends all of it to {@code out}. For holders. */
  public void copyTo(ByteBuf out) {
    out.writeBytes(bytes, 0, bytes.writerIndex());
  }

  /** Bytes {@code from} to {@code from + length - 1}, to be read at once. For holders. */
  public ReadableBody part(int from, int length) {
    return new StoredReading(bytes.retainedSlice(from, length));
  }

  ByteBuf room() {
    return bytes;
  }
}
