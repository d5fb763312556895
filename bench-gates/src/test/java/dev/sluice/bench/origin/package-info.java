/**
 * Gates of the origin's pool: several real upstreams behind a real Sluice, each counting for
 * itself. Start with {@code Fleet} and {@code Load}.
 */
@NullMarked
package dev.sluice.bench.origin;

import org.jspecify.annotations.NullMarked;
