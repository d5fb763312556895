/**
 * The HTTP governor: one request's journey, told by two state machines. Start with {@code
 * Exchange}, the client's, then {@code Flight}, the origin's.
 */
@NullMarked
package dev.sluice.governor;

import org.jspecify.annotations.NullMarked;
