package dev.sluice.wire;

import dev.sluice.flow.Body;
import dev.sluice.http.FieldName;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is to be written to an origin. Immutable.
 *
 * @param drop fields of {@code head} that stay behind
 * @param dropNames more of them, in lower case
 * @param internal names that no client may send on to this kind of origin
 * @param added field lines in wire form, behind the others
 * @param upgrade whether it asks to switch to a WebSocket, which only HTTP/1.1 can carry
 */
public record RequestOut(
    RequestHead head,
    long drop,
    List<String> dropNames,
    NameSet internal,
    byte[] added,
    boolean upgrade) {

  /** One that asks for an answer and nothing else. */
  public RequestOut(
      RequestHead head, long drop, List<String> dropNames, NameSet internal, byte[] added) {
    this(head, drop, dropNames, internal, added, false);
  }

  /**
   * Whether the origin owes a word before {@code body} comes: it is asked for leave to send it, and
   * nothing of it came yet (RFC 9110 10.1.1).
   */
  public boolean awaitsContinue(@Nullable Body body) {
    return body != null
        && (drop & FieldName.EXPECT.bit()) == 0
        && head.headers().has(FieldName.EXPECT)
        && body.isOpen()
        && body.total() == 0;
  }
}
