package dev.sluice.flow;

import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader that does as a test says and keeps what it got, buffers too until they are let go. */
final class ScriptedReader implements Body.Reader {

  final ReadableBody body;
  final List<ByteBuf> buffers = new ArrayList<>();
  boolean wantsMore = true;
  Runnable onChunk = () -> {};
  Runnable onFlush = () -> {};
  int chunks;
  boolean complete;
  @Nullable Cause cause;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  ScriptedReader(ReadableBody body) {
    this.body = body;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  long count() {
    return bytes.size();
  }

  void resume() {
    wantsMore = true;
    body.resume();
  }

  @Override
  public boolean chunk(ByteBuf chunk) {
    chunks++;
    byte[] copy = new byte[chunk.readableBytes()];
    chunk.getBytes(chunk.readerIndex(), copy);
    bytes.writeBytes(copy);
    buffers.add(chunk);
    chunk.release();
    onChunk.run();
    return wantsMore;
  }

  @Override
  public void flush() {
    onFlush.run();
  }

  @Override
  public void complete(Trailers trailers) {
    complete = true;
  }

  @Override
  public void aborted(Cause why) {
    cause = why;
  }
}
