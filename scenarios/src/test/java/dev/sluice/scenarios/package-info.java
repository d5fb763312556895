/**
 * A real Next.js application behind a real Sluice. Start with {@code NextStorefrontGate}; what is
 * asserted is what the clients saw and what the application counted.
 */
@NullMarked
package dev.sluice.scenarios;

import org.jspecify.annotations.NullMarked;
