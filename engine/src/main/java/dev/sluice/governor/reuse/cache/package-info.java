/** An answer that exists: keys, the store and what it holds. */
@NullMarked
package dev.sluice.governor.reuse.cache;

import org.jspecify.annotations.NullMarked;
