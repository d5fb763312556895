package dev.sluice.flow;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** One reading of bytes that are all there. Confined to its reader's loop. */
final class StoredReading implements ReadableBody {

  private @Nullable ByteBuf bytes;

  StoredReading(ByteBuf bytes) {
    this.bytes = bytes;
  }

  @Override
  public void follow(Body.Reader reader) {
    ByteBuf all = bytes;
    bytes = null;
    if (all == null) {
      throw new IllegalStateException("stored reading: read twice");
    }
    if (all.isReadable()) {
      reader.chunk(all);
    } else {
      all.release();
    }
    reader.complete(Trailers.NONE);
  }

  @Override
  public void resume() {
    // Everything was handed over.
  }

  @Override
  public void desert() {
    if (bytes != null) {
      bytes.release();
      bytes = null;
    }
  }
}
