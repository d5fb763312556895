/**
 * HTTP/2 on sockets (RFC 9113). To origins: one connection carries many attempts at once; start at
 * {@code OriginSessions}.
 */
@NullMarked
package dev.sluice.wire.http2;

import org.jspecify.annotations.NullMarked;
