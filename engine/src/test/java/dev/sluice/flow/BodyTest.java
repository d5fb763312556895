package dev.sluice.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.outcome.Cause;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyTest {

  private static final int WINDOW = 8;

  private final List<String> events = new ArrayList<>();
  private final List<ByteBuf> made = new ArrayList<>();
  private final ByteBudget budget = new ByteBudget(100);
  private final Body body = new Body(() -> events.add("resume"), WINDOW, budget);
  private boolean wantsMore = true;

  @Test
  void bytesBeforeTheReader_areHeldToTheWindowAndHandedOver() {
    assertThat(body.append(bytes("abcd"))).isTrue();
    assertThat(body.append(bytes("efgh"))).isFalse();
    assertThat(body.isFull()).isTrue();
    assertThat(budget.used()).isEqualTo(8);

    body.follow(new Recorder());

    assertThat(events).containsExactly("abcd", "efgh", "flush", "resume");
    assertThat(budget.used()).isZero();
    assertNoLeak();
  }

  @Test
  void completeBeforeTheReader_isToldBehindTheBytes() {
    body.append(bytes("ab"));
    body.complete(Trailers.NONE);
    body.follow(new Recorder());

    assertThat(events).containsExactly("ab", "complete");
    assertNoLeak();
  }

  @Test
  void readerThatWantsNoMore_pausesTheSource() {
    body.follow(new Recorder());
    wantsMore = false;

    assertThat(body.append(bytes("ab"))).isFalse();
  }

  @Test
  void deserted_dropsEverythingAtFullSpeedUpToItsBound() {
    body.append(bytes("abcdefgh"));
    body.desert(10, () -> events.add("spent"));
    assertThat(events).containsExactly("resume");

    assertThat(body.append(bytes("0123456789"))).isTrue();
    assertThat(events).containsExactly("resume");
    assertThat(body.append(bytes("x"))).isTrue();

    assertThat(events).containsExactly("resume", "spent");
    assertThat(budget.used()).isZero();
    assertNoLeak();
  }

  @Test
  void abort_releasesWhatIsHeldAndIsToldOnce() {
    body.append(bytes("ab"));
    body.abort(Cause.CLIENT_LEFT);
    body.abort(Cause.ORIGIN_CUT_SHORT);
    body.follow(new Recorder());

    assertThat(events).containsExactly("aborted CLIENT_LEFT");
    assertNoLeak();
  }

  @Test
  void completeWithoutAReader_isReleasedOnceDeserted() {
    body.append(bytes("ab"));
    body.complete(Trailers.NONE);
    body.abort(Cause.CLIENT_LEFT);
    assertThat(budget.used()).as("still there for a flight that is under way").isEqualTo(2);

    body.desert();

    assertThat(budget.used()).isZero();
    assertNoLeak();
  }

  @Test
  void readerThatFailsOnTheFirstHeldChunk_getsNoMore() {
    body.append(bytes("ab"));
    body.append(bytes("cd"));
    body.complete(Trailers.NONE);
    body.follow(
        new Recorder() {
          @Override
          public boolean chunk(ByteBuf chunk) {
            body.desert();
            return super.chunk(chunk);
          }
        });

    assertThat(events).containsExactly("ab");
    assertThat(budget.used()).isZero();
    assertNoLeak();
  }

  @Test
  void secondReader_throws() {
    body.follow(new Recorder());

    assertThatThrownBy(() -> body.follow(new Recorder())).isInstanceOf(IllegalStateException.class);
  }

  private ByteBuf bytes(String text) {
    ByteBuf chunk = Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    made.add(chunk);
    return chunk;
  }

  private void assertNoLeak() {
    assertThat(made).allMatch(chunk -> chunk.refCnt() == 0);
  }

  private class Recorder implements Body.Reader {
    @Override
    public boolean chunk(ByteBuf chunk) {
      events.add(chunk.toString(StandardCharsets.US_ASCII));
      chunk.release();
      return wantsMore;
    }

    @Override
    public void flush() {
      events.add("flush");
    }

    @Override
    public void complete(Trailers trailers) {
      events.add("complete");
    }

    @Override
    public void aborted(Cause cause) {
      events.add("aborted " + cause);
    }
  }
}
