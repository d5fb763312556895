/**
 * Can an answer that exists, or is on its way, serve the request?
 *
 * <p>Start at {@link dev.sluice.governor.reuse.KeyRecipe}: it says whether a request may share, and
 * under which key. {@link dev.sluice.governor.reuse.SharedRequest} asks the origin out of that key.
 * Knows no socket and no clock.
 */
@NullMarked
package dev.sluice.governor.reuse;

import org.jspecify.annotations.NullMarked;
