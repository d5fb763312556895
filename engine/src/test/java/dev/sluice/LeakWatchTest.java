package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Logger;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The check that every socket test ends with can fail. */
class LeakWatchTest {

  @Test
  void leakedBuffer_isReportedWithWhereItWasMade() {
    LeakWatch.begin();
    Logger netty = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    // The log must not cry over what is done on purpose.
    netty.setAdditive(false);
    leak();
    List<String> reports = LeakWatch.collect();
    netty.setAdditive(true);

    assertThat(reports).singleElement().asString().contains("LeakWatchTest.leak");
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
