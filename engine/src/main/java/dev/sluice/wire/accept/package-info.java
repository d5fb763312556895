/** What a new client connection is, and who takes it. Start at {@code HttpListener}. */
@NullMarked
package dev.sluice.wire.accept;

import org.jspecify.annotations.NullMarked;
