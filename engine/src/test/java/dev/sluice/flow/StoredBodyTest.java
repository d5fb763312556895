package dev.sluice.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DEC-38: who found a body's reference without holding it asks the count, never the buffer. */
class StoredBodyTest {

  private final ByteBudget account = new ByteBudget(1 << 20);

  @Test
  void bytes_areAccountedUntilTheLastHolderLetsGo() {
    StoredBody body = stored(new byte[1000]);
    assertThat(body.tryPin()).isTrue();
    assertThat(body.holders()).isEqualTo(2);

    body.unpin();
    assertThat(account.used()).isEqualTo(1000);
    body.unpin();
    assertThat(account.used()).isZero();
    assertThat(body.tryPin()).isFalse();
    assertThatThrownBy(body::unpin).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void staleReference_whoseMemoryIsAnothersNow_isAMiss() {
    List<StoredBody> stale = new ArrayList<>();
    List<Long> addresses = new ArrayList<>();
    boolean reused = false;
    for (int i = 0; i < 10_000 && !reused; i++) {
      StoredBody body = stored(new byte[4096]);
      reused = addresses.contains(body.room().memoryAddress());
      addresses.add(body.room().memoryAddress());
      if (reused) {
        assertThat(stale).allMatch(old -> !old.tryPin());
        assertThat(body.tryPin()).isTrue();
        body.unpin();
      }
      body.unpin();
      stale.add(body);
    }
    assertThat(reused).as("the allocator gave the same memory out again").isTrue();
    assertThat(account.used()).isZero();
  }

  @Test
  void buffers_outliveTheirHolder() {
    StoredBody body = stored(new byte[] {1, 2, 3, 4});
    ByteBuf whole = body.whole();
    var reader = new ScriptedReader(body.part(1, 2));
    body.unpin();
    reader.body.follow(reader);

    assertThat(reader.bytes()).containsExactly(2, 3);
    assertThat(reader.complete).isTrue();
    assertThat(whole.readableBytes()).isEqualTo(4);
    whole.release();
    assertThat(whole.refCnt()).isZero();
  }

  @Test
  void partThatIsNeverRead_leavesNothingBehind() {
    StoredBody body = stored(new byte[10]);
    ByteBuf room = body.room();
    ReadableBody part = body.part(0, 10);
    body.unpin();
    assertThat(room.refCnt()).isEqualTo(1);
    part.desert();
    part.desert();
    assertThat(room.refCnt()).isZero();
  }

  @Test
  void bodyWithoutBytes_countsItsHoldersAll() {
    StoredBody body = StoredBody.allocate(0, account, 0);
    var reader = new ScriptedReader(body.part(0, 0));
    reader.body.follow(reader);
    assertThat(reader.complete).isTrue();
    assertThat(reader.chunks).isZero();
    body.unpin();
    assertThat(body.tryPin()).isFalse();
  }

  private StoredBody stored(byte[] bytes) {
    assertThat(account.tryTake(bytes.length)).isTrue();
    return StoredBodies.of(bytes, account, bytes.length);
  }
}
