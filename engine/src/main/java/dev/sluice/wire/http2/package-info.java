/**
 * HTTP/2 (RFC 9113). {@code Http2Link} is a connection in either role: frames, stream states, flow
 * control; HPACK is Netty's. From clients: streams that the governor sees as it sees requests of
 * HTTP/1.1; start at {@code Http2Connection}. To origins: one connection carries many attempts at
 * once; start at {@code OriginSessions}.
 */
@NullMarked
package dev.sluice.wire.http2;

import org.jspecify.annotations.NullMarked;
