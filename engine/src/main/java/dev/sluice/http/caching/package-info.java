/**
 * RFC 9111 and its companions as pure functions over heads. Start with {@link
 * dev.sluice.http.caching.CacheControl} and {@link dev.sluice.http.caching.Freshness}; what a route
 * permits or a store holds is not known here.
 */
@NullMarked
package dev.sluice.http.caching;

import org.jspecify.annotations.NullMarked;
