package dev.sluice.governor.reuse.cache;

import dev.sluice.flow.StoredBodies;
import dev.sluice.http.EncodedHead;
import dev.sluice.http.FieldName;
import dev.sluice.http.Framing;
import dev.sluice.http.Headers;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.Lifetime;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes answers for a store. */
final class Entries {

  static final Lifetime MINUTE = new Lifetime(0, 60_000, 0, 60_000);

  private static final int HEAD_BYTES = 64;

  private static final ResponseHead HEAD =
      new ResponseHead(200, "OK", new NoFields(), Framing.None.INSTANCE);

  private Entries() {}

  static CacheKey key(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new CacheKey(bytes, bytes.length);
  }

  static long charge(CacheKey key, int length) {
    return ResponseCache.charge(key, HEAD_BYTES, length);
  }

  /** An answer to {@code path} under its own key, for which the account was charged already. */
  static StoredResponse of(ResponseCache cache, String path, byte[] body, String... tags) {
    CacheKey key = key(path);
    return of(cache, new StoredResponse.Filing(key, key, path, List.of(tags)), body);
  }

  static StoredResponse of(ResponseCache cache, StoredResponse.Filing filing, byte[] body) {
    return of(cache, filing, body, MINUTE);
  }

  static StoredResponse of(
      ResponseCache cache, StoredResponse.Filing filing, byte[] body, Lifetime lifetime) {
    return new StoredResponse(
        filing,
        new EncodedHead(new byte[HEAD_BYTES], HEAD_BYTES, HEAD),
        StoredBodies.of(body, cache.account(), charge(filing.key(), body.length)),
        lifetime,
        0,
        new StoredResponse.Received(0, 0, 0));
  }

  private static final class NoFields implements Headers {
    @Override
    public int size() {
      return 0;
    }

    @Override
    public @Nullable FieldName known(int index) {
      return null;
    }

    @Override
    public String name(int index) {
      throw new IndexOutOfBoundsException(index);
    }

    @Override
    public String value(int index) {
      throw new IndexOutOfBoundsException(index);
    }

    @Override
    public long present() {
      return 0;
    }
  }
}
