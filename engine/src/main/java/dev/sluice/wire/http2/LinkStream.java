package dev.sluice.wire.http2;

import dev.sluice.outcome.Cause;
import dev.sluice.wire.http2.ReceivedFields.Decoded;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A stream that is open, as its connection sees it in either role. Called on one loop. */
interface LinkStream {

  int id();

  /** Its sending half. */
  Outlet outlet();

  // What its peer says.

  /** Whether the peer has not ended its side. */
  boolean isReceiving();

  /**
   * A field section on the stream, behind the one that began it; what is wrong with it, or null.
   *
   * @param fields what was decoded, until this returns
   */
  @Nullable ErrorCode headers(ReceivedFields fields, Decoded decoded, boolean end);

  /** DATA, the caller's; what is wrong with it, or null. */
  @Nullable ErrorCode data(ByteBuf payload, int flowLength, boolean end);

  /** What was received in this turn should be on its way. */
  void flushReceived();

  /** Whoever reads what it receives has room again. */
  void receivingResumed();

  // What its outlet says.

  /** What was written should be on its way. */
  void flush();

  /** All of it was written, its end too. */
  void sent();

  /** What was to be sent ended short, for {@code cause}. */
  void sendingCut(Cause cause);
}
