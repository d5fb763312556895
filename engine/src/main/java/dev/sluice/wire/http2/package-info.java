/**
 * HTTP/2 (RFC 9113), the client's side: streams that the governor sees as it sees requests of
 * HTTP/1.1. Start at {@code Http2Connection}. HPACK is Netty's; frames, states and flow control are
 * ours.
 */
@NullMarked
package dev.sluice.wire.http2;

import org.jspecify.annotations.NullMarked;
