/**
 * Claim gates of what clients share: one render for many, answers that are kept, and what is never
 * anybody else's. Each asserts what a real origin counted and what clients read.
 */
@NullMarked
package dev.sluice.bench.reuse;

import org.jspecify.annotations.NullMarked;
