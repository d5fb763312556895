package dev.sluice.wire.http2;

import dev.sluice.outcome.Cause;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;

/**
 * Answers that were written to their end and are over once the socket has taken them, in the order
 * in which they were written. Confined to their connection's loop.
 */
final class WrittenAnswers {

  private final ChannelHandlerContext ctx;
  private final Runnable onEnded;
  private final ArrayDeque<Http2Stream> answers = new ArrayDeque<>(4);
  private int watched;

  /** {@code onEnded}: some of them are over, later than {@link #settle}. */
  WrittenAnswers(ChannelHandlerContext ctx, Runnable onEnded) {
    this.ctx = ctx;
    this.onEnded = onEnded;
  }

  void add(Http2Stream stream) {
    answers.add(stream);
  }

  boolean isEmpty() {
    return answers.isEmpty();
  }

  /** More than any client can wait for that goes by our SETTINGS. */
  boolean isFull() {
    return answers.size() > Http2Limits.STREAMS;
  }

  /** Everything was flushed; {@code unsent}: the socket did not take all of it. */
  void settle(boolean unsent) {
    int fresh = answers.size() - watched;
    if (fresh == 0) {
      return;
    }
    if (unsent || watched > 0) {
      watched += fresh;
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> sent(fresh, sent.isSuccess()));
    } else {
      end(fresh);
    }
  }

  /** Ends all of them, for {@code cause}. */
  void endAll(Cause cause) {
    watched = 0;
    for (Http2Stream stream = answers.poll(); stream != null; stream = answers.poll()) {
      stream.end(cause);
    }
  }

  private void sent(int count, boolean success) {
    if (success && watched >= count) {
      watched -= count;
      end(count);
      onEnded.run();
    }
  }

  private void end(int count) {
    for (int i = 0; i < count && !answers.isEmpty(); i++) {
      answers.remove().end(Cause.COMPLETE);
    }
  }
}
