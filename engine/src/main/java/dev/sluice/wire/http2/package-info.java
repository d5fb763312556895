/**
 * HTTP/2 (RFC 9113). From clients: streams that the governor sees as it sees requests of HTTP/1.1;
 * start at {@code Http2Connection}; HPACK is Netty's, frames, states and flow control are ours. To
 * origins: one connection carries many attempts at once; start at {@code OriginSessions}, which
 * stands on Netty's codec.
 */
@NullMarked
package dev.sluice.wire.http2;

import org.jspecify.annotations.NullMarked;
