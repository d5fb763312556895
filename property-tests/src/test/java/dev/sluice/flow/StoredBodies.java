package dev.sluice.flow;

/** Makes stored bodies for tests of other packages. */
public final class StoredBodies {

  private StoredBodies() {}

  /** A body of {@code bytes} for which {@code account} was charged {@code charged}. */
  public static StoredBody of(byte[] bytes, ByteBudget account, long charged) {
    StoredBody body = StoredBody.allocate(bytes.length, account, charged);
    body.room().writeBytes(bytes);
    return body;
  }
}
