/**
 * The origin's side of an HTTP/1.1 connection: one attempt at a time. Start at {@code
 * OriginConnection}.
 */
@NullMarked
package dev.sluice.wire.origin;

import org.jspecify.annotations.NullMarked;
