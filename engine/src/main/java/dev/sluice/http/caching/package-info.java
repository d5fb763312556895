/** RFC 9111 and its companions as pure functions over heads. */
@NullMarked
package dev.sluice.http.caching;

import org.jspecify.annotations.NullMarked;
