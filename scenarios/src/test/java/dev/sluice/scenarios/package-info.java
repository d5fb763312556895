/**
 * Programs of others behind a real Sluice: a Next.js application, the public caching suite. Start
 * with {@code NextStorefrontGate} and {@code HttpCachingSuiteGate}; what is asserted is what the
 * clients saw and what the application counted.
 */
@NullMarked
package dev.sluice.scenarios;

import org.jspecify.annotations.NullMarked;
