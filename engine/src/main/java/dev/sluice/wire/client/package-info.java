/**
 * The client's side of an HTTP/1.1 connection: requests out of its bytes, one answer for each, in
 * order. Start at {@code ClientConnection}.
 */
@NullMarked
package dev.sluice.wire.client;

import org.jspecify.annotations.NullMarked;
