package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

/** The check that every socket test ends with can fail. */
class LeakWatchTest {

  @Test
  void leakedBuffer_isReportedWithWhereItWasMade() {
    LeakWatch.begin();
    leak();

    assertThat(LeakWatch.collect()).singleElement().asString().contains("LeakWatchTest.leak");
    assertThatCode(LeakWatch::check).doesNotThrowAnyException();
  }

  @Test
  void releasedBuffer_isNoLeak() {
    LeakWatch.begin();
    ByteBuf buffer = ByteBufAllocator.DEFAULT.ioBuffer(64);
    buffer.writeByte(1).release();
    buffer = null;

    assertThatCode(LeakWatch::check).doesNotThrowAnyException();
  }

  /** In a frame of its own, so that nothing refers to the buffer afterwards. */
  private static void leak() {
    ByteBufAllocator.DEFAULT.ioBuffer(64).writeByte(1);
  }
}
