/**
 * HTTP on sockets: parsing and framing, the client's side and the origin's side. The governor
 * reaches it through {@code ClientStream} and {@code OriginStream} and is reached through {@code
 * RequestSink}.
 */
@NullMarked
package dev.sluice.wire;

import org.jspecify.annotations.NullMarked;
