package dev.sluice.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FrameReaderTest {

  private static final int PAYLOAD = 16_384;
  private static final int FRAME = FrameType.HEAD + PAYLOAD;

  private final UnpooledByteBufAllocator alloc = new UnpooledByteBufAllocator(true);
  private final AtomicLong taken = new AtomicLong();

  /** Bytes of DATA are counted; whatever else comes is fine. */
  private FrameSink sink() {
    return (FrameSink)
        Proxy.newProxyInstance(
            FrameSink.class.getClassLoader(),
            new Class<?>[] {FrameSink.class},
            (self, method, given) -> {
              if (method.getName().equals("data")) {
                taken.addAndGet(((ByteBuf) given[1]).readableBytes());
              }
              return null;
            });
  }

  /** An upload whose every read ends inside a frame holds a few frames and not all of it. */
  @Test
  void readsThatEndInsideFrames_holdNoMoreThanTheirRest() {
    var handler = new ChannelInboundHandlerAdapter();
    var channel = new EmbeddedChannel(handler);
    channel.config().setAllocator(alloc);
    ChannelHandlerContext ctx = channel.pipeline().context(handler);
    var reader = new FrameReader(ctx, new FrameParser(alloc, sink(), 1 << 16), Role.SERVER);
    reader.read(
        alloc
            .directBuffer()
            .writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
            .writeMedium(0)
            .writeByte(4)
            .writeZero(5));
    ByteBuf frames = alloc.directBuffer();
    for (int i = 0; i < 2; i++) {
      frames.writeMedium(PAYLOAD).writeByte(0).writeByte(0).writeInt(1).writeZero(PAYLOAD);
    }
    reader.read(alloc.directBuffer().writeBytes(frames, 0, FRAME / 2));
    long most = 0;
    for (int i = 0; i < 1_000; i++) {
      // From the middle of one to the middle of the next.
      reader.read(alloc.directBuffer(FRAME).writeBytes(frames, FRAME / 2, FRAME));
      most = Math.max(most, alloc.metric().usedDirectMemory());
    }
    reader.stop();
    frames.release();
    channel.close();

    assertThat(taken.get()).isEqualTo(1_000L * PAYLOAD);
    assertThat(most).isLessThan(512 * 1024);
    assertThat(alloc.metric().usedDirectMemory()).isZero();
  }
}
