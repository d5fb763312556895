package dev.sluice.wire.http2;

import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one connection: those that are open, and how the latest of the others ended, by
 * which a late frame is told from an error (RFC 9113 5.1). Confined to its connection's loop.
 */
final class StreamTable<S extends LinkStream> {

  /** How a stream that is not open ended. */
  enum Past {
    /** It never began: a frame on it is a connection error. */
    IDLE,
    /** Both sides ended it: no frame may follow. */
    ENDED,
    /** The peer reset it: no frame may follow. */
    PEER_RESET,
    /** We reset it: frames that were on their way are dropped. */
    OUR_RESET,
    /** Too long ago, or passed over by the numbering. */
    FORGOTTEN
  }

  private static final Past[] PASTS = Past.values();

  private final IntObjectHashMap<S> open = new IntObjectHashMap<>(4);
  private int @Nullable [] ended;
  private byte @Nullable [] how;
  private int next;
  private int last;

  /** The highest stream that was begun; 0 before the first. */
  int last() {
    return last;
  }

  /** This stream begins; all lower ones that were not begun are over with it. */
  void began(int stream) {
    last = stream;
  }

  int size() {
    return open.size();
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  void add(S stream) {
    open.put(stream.id(), stream);
  }

  @Nullable S get(int stream) {
    return open.get(stream);
  }

  /** Those that are open, as they are now. */
  List<S> all() {
    return new ArrayList<>(open.values());
  }

  /** The stream is open no more, or never was; true where it was. */
  boolean remove(int stream, Past past) {
    int[] ids = ended;
    byte[] pasts = how;
    if (ids == null || pasts == null) {
      ids = new int[Http2Limits.REMEMBERED];
      pasts = new byte[Http2Limits.REMEMBERED];
      ended = ids;
      how = pasts;
    }
    ids[next] = stream;
    pasts[next] = (byte) past.ordinal();
    next = (next + 1) % Http2Limits.REMEMBERED;
    return open.remove(stream) != null;
  }

  /** How a stream that is not open ended. */
  Past past(int stream) {
    if (stream > last || (stream & 1) == 0) {
      return Past.IDLE;
    }
    int[] ids = ended;
    byte[] pasts = how;
    if (ids != null && pasts != null) {
      // The latest word counts: a stream that ended may be reset afterwards.
      for (int i = 1; i <= Http2Limits.REMEMBERED; i++) {
        int at = (next - i + Http2Limits.REMEMBERED) % Http2Limits.REMEMBERED;
        if (ids[at] == stream) {
          return PASTS[pasts[at]];
        }
      }
    }
    return Past.FORGOTTEN;
  }
}
