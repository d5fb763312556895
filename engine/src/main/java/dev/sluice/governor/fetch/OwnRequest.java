package dev.sluice.governor.fetch;

import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.NameSet;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import dev.sluice.wire.RequestOut;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an upstream is asked on nobody's behalf. Stateless. */
final class OwnRequest {

  private static final byte[] FIELDS =
      "User-Agent: sluice-health\r\nAccept: */*\r\n".getBytes(StandardCharsets.US_ASCII);

  private OwnRequest() {}

  static RequestOut of(String method, String path, UpstreamState upstream) {
    var head =
        new RequestHead(
            method,
            Target.ofOriginForm(path),
            upstream.label(),
            1,
            FieldList.EMPTY,
            Framing.None.INSTANCE);
    return new RequestOut(head, 0, List.of(), NameSet.EMPTY, FIELDS);
  }
}
