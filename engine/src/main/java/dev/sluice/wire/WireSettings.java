package dev.sluice.wire;

import dev.sluice.net.tls.OriginTlsSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits and timeouts of HTTP on sockets (DEC-04, DEC-27, DEC-32). Immutable; a size is in bytes, a
 * rate in bytes per second, and 0 turns a rate off.
 *
 * @param maxHeader of a request's and of a response's head (431, 502)
 * @param maxTarget of a request target (414)
 * @param h2c whether HTTP/2 is taken on the cleartext listener (PRX-04)
 * @param readAhead body or pipelined bytes held per connection while its request waits
 * @param requestMemory request bytes held by the whole process
 * @param halfCloseServes whether a FIN behind a complete request that waits is not leaving
 * @param trust whose word about a client is believed
 * @param originTls null = clear text
 * @param clientBody per read, {@code downstreamWrite} while unwritten bytes wait
 */
public record WireSettings(
    boolean h2c,
    int maxHeader,
    int maxTarget,
    int readAhead,
    long requestMemory,
    boolean halfCloseServes,
    TrustSettings trust,
    Duration clientHeader,
    Duration clientBody,
    Duration clientIdle,
    long clientBodyMinRate,
    Duration downstreamWrite,
    long downstreamMinRate,
    Duration originConnect,
    Duration originResponse,
    Duration originRead,
    Duration originIdle,
    OriginProtocol originProtocol,
    @Nullable OriginTlsSettings originTls) {

  /** The same before an origin that speaks HTTP/1.1 in clear text. */
  public WireSettings beforePlainOrigin() {
    return new WireSettings(
        h2c,
        maxHeader,
        maxTarget,
        readAhead,
        requestMemory,
        halfCloseServes,
        trust,
        clientHeader,
        clientBody,
        clientIdle,
        clientBodyMinRate,
        downstreamWrite,
        downstreamMinRate,
        originConnect,
        originResponse,
        originRead,
        originIdle,
        OriginProtocol.HTTP1,
        null);
  }
}
