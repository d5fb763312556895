/**
 * The vocabulary of messages, pure: heads, targets, framing and the fields that concern one hop
 * only. Start with {@link dev.sluice.http.RequestHead}. It must not know sockets, Netty or any
 * policy.
 */
@NullMarked
package dev.sluice.http;

import org.jspecify.annotations.NullMarked;
