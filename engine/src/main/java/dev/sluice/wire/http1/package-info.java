/**
 * The syntax of HTTP/1.1, bytes to heads and bodies and back (RFC 9112). Knows no connection;
 * {@code FramingGuard} is where two readings of one message are refused.
 */
@NullMarked
package dev.sluice.wire.http1;

import org.jspecify.annotations.NullMarked;
