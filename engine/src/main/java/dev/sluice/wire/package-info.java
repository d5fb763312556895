/**
 * HTTP on sockets, as the governor sees it: it takes requests through {@code RequestSink}, answers
 * through {@code ClientStream} and asks through {@code OriginConnector}. {@code wire.client} and
 * {@code wire.origin} are the two sides of HTTP/1.1, {@code wire.http1} its syntax; {@code
 * wire.accept} decides what a new connection is.
 */
@NullMarked
package dev.sluice.wire;

import org.jspecify.annotations.NullMarked;
